package dev.stepwell.worker.runner;

import dev.stepwell.worker.runner.StepReport.State;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The variables that a step leaves, as they come: new pieces, the parts of the body, the last word.
 * Owned by the thread that runs the step.
 *
 * <p>All of it is what the step's process claims. It is checked to name nothing but pieces that the
 * session had or that came right now, and to stay within the caps.
 */
final class StateUpload {
  private final List<Integer> sizesBefore;
  private final long stateBytes;
  private final StateCaps caps;
  private final PieceSink sink;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private final List<Integer> newSizes = new ArrayList<>();
  private long newBytes;
  private @Nullable String unkept;

  StateUpload(StepTask task) {
    this.sizesBefore = task.variables().sizes();
    this.stateBytes = task.stateBytes();
    this.caps = task.state().caps();
    this.sink = task.state().newPieces();
  }

  /** Takes the next new piece. */
  void piece(byte[] piece) throws ChannelViolation {
    Piecework.check(piece);
    newBytes += piece.length;
    if (stateBytes == 0 || newBytes > caps.newBytes()) {
      throw new ChannelViolation(
          "new pieces beyond the " + caps.newBytes() + " bytes that the step may leave");
    }
    if (newSizes.size() == Piecework.MAX_PIECES) {
      throw new ChannelViolation("more than " + Piecework.MAX_PIECES + " new pieces");
    }
    newSizes.add(piece.length);
    if (unkept != null) {
      return;
    }
    try {
      sink.add(piece, 0, piece.length);
    } catch (IOException e) {
      unkept = "the state could not be kept: " + e.getMessage();
    }
  }

  /** Takes the next part of the body. */
  void manifest(byte[] part) throws ChannelViolation {
    if (stateBytes == 0 || body.size() + (long) part.length > caps.manifestBytes()) {
      throw new ChannelViolation(
          "a manifest beyond the " + caps.manifestBytes() + " bytes that the step may leave");
    }
    body.writeBytes(part);
  }

  /**
   * Takes the last word, which says what the body's table is made of. Step code can write one of
   * its own: one that makes no sense costs the step its variables, and is no fault of the sandbox.
   */
  State saved(byte[] payload) {
    try {
      return state(Fields.parse(payload));
    } catch (ChannelViolation e) {
      return State.unsaved("what the step's process said of its state is wrong: " + e.getMessage());
    }
  }

  private State state(Fields fields) throws ChannelViolation {
    String failed = fields.text("failed");
    if (failed != null) {
      return State.unsaved(failed);
    }
    List<Integer> refs = numbers(fields, "refs");
    List<Integer> eager = numbers(fields, "eager");
    long liveBytes = body.size() + referredBytes(refs);
    checkEager(eager, refs.size());
    Integer kept = Claims.integer(fields, "kept");
    if (stateBytes == 0) {
      return State.NONE;
    }
    if (unkept != null) {
      return State.unsaved(unkept);
    }
    if (liveBytes > stateBytes) {
      return State.unsaved(
          "the variables take " + liveBytes + " bytes, over the cap of " + stateBytes);
    }
    return new State(
        body.toByteArray(),
        refs,
        eager,
        kept == null ? 0 : kept,
        liveBytes,
        Claims.lost(fields),
        null,
        true);
  }

  private static List<Integer> numbers(Fields fields, String name) throws ChannelViolation {
    byte[] value = fields.bytes(name);
    return value == null ? List.of() : Bytes.int32s(value, Piecework.MAX_PIECES, name);
  }

  private long referredBytes(List<Integer> refs) throws ChannelViolation {
    BitSet oldSeen = new BitSet();
    BitSet newSeen = new BitSet();
    long bytes = 0;
    for (int ref : refs) {
      // The complement of r is -r-1, without the overflow.
      List<Integer> sizes = ref >= 0 ? sizesBefore : newSizes;
      BitSet seen = ref >= 0 ? oldSeen : newSeen;
      int index = ref >= 0 ? ref : ~ref;
      if (index >= sizes.size()) {
        throw new ChannelViolation("a reference " + ref + " to no piece");
      }
      if (!seen.get(index)) {
        seen.set(index);
        bytes += sizes.get(index);
      }
    }
    return bytes;
  }

  private static void checkEager(List<Integer> eager, int pieces) throws ChannelViolation {
    int before = -1;
    for (int place : eager) {
      if (place <= before || place >= pieces) {
        throw new ChannelViolation("an eager piece " + place + " out of order or of range");
      }
      before = place;
    }
  }
}
