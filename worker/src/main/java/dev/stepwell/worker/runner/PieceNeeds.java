package dev.stepwell.worker.runner;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a step's process asks for of the session's variables, and the answers.
 *
 * <p>The thread that runs the step owns this. Answers are given on another, one after the other: a
 * sandbox that waits to be listened to does not listen, so whoever reads from it must never wait to
 * write.
 */
final class PieceNeeds {
  /** What is read before an answer begins: until then it can still be that a piece is gone. */
  private static final long READ_AHEAD_BYTES = 32L << 20;

  private final PieceSupply supply;
  private final List<Integer> sizes;
  private final @Nullable Path folder;
  private final FrameChannel channel;
  private final Watchdog threads;
  private final Runnable giveUp;
  private final BitSet asked = new BitSet();
  private CompletableFuture<Void> answers = CompletableFuture.completedFuture(null);
  // Written by whoever answers, read when the step has ended.
  private volatile @Nullable String gone;

  /**
   * Answers with {@code task}'s pieces.
   *
   * @param folder where pieces can be placed; null to send their bytes
   * @param giveUp ends the sandbox, once an answer has begun that can't be finished
   */
  PieceNeeds(
      StepTask task,
      @Nullable Path folder,
      FrameChannel channel,
      Watchdog threads,
      Runnable giveUp) {
    this.supply = task.state().pieces();
    this.sizes = task.variables().sizes();
    this.folder = folder;
    this.channel = channel;
    this.threads = threads;
    this.giveUp = giveUp;
  }

  /** These need not be asked for: the step's process was given them at once. */
  void given(List<Integer> indexes) {
    indexes.forEach(asked::set);
  }

  /**
   * Takes a question in; its answer follows on its own.
   *
   * @throws ChannelViolation if it is about what is not there, or was asked for before
   */
  void ask(byte[] payload) throws ChannelViolation {
    List<Integer> indexes = Bytes.int32s(payload, Piecework.MAX_PIECES, "a need");
    if (indexes.isEmpty()) {
      throw new ChannelViolation("a need of nothing");
    }
    for (int index : indexes) {
      if (index < 0 || index >= sizes.size()) {
        throw new ChannelViolation("a need of piece " + index + " of " + sizes.size());
      }
      if (asked.get(index)) {
        throw new ChannelViolation("a second need of piece " + index);
      }
      asked.set(index);
    }
    answers = answers.thenRunAsync(() -> answer(indexes), threads::now);
  }

  private void answer(List<Integer> indexes) {
    try {
      byte[] placed = place(indexes);
      if (placed == null) {
        send(indexes);
      } else {
        channel.write('F', placed);
      }
      channel.flush();
    } catch (IOException e) {
      // Without its answer the step's process would wait until its time is over.
      giveUp.run();
    }
  }

  /** The answer that says where the pieces lie; null if it has to be their bytes. */
  private byte @Nullable [] place(List<Integer> indexes) {
    if (folder == null) {
      return null;
    }
    Fields.Writer found = new Fields.Writer();
    try {
      List<PlacedPiece> places = supply.place(indexes, folder);
      for (int i = 0; i < indexes.size(); i++) {
        found.add("placed", placed(indexes.get(i), places.get(i)));
      }
    } catch (IOException | RuntimeException e) {
      return gone(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return gone(e);
    }
    byte[] payload = found.payload();
    return payload.length > Frame.MAX_PAYLOAD_BYTES ? null : payload;
  }

  private void send(List<Integer> indexes) throws IOException {
    List<byte[]> ahead = new ArrayList<>();
    try {
      long aheadBytes = 0;
      while (ahead.size() < indexes.size() && aheadBytes < READ_AHEAD_BYTES) {
        byte[] piece = read(indexes.get(ahead.size()));
        aheadBytes += piece.length;
        ahead.add(piece);
      }
    } catch (IOException | RuntimeException e) {
      channel.write('F', gone(e));
      return;
    }
    long total = indexes.stream().mapToLong(sizes::get).sum();
    channel.write('F', new Fields.Writer().add("bytes", total).payload());
    for (byte[] piece : ahead) {
      channel.writeData(piece);
    }
    for (int index : indexes.subList(ahead.size(), indexes.size())) {
      channel.writeData(read(index));
    }
  }

  private byte[] read(int index) throws IOException {
    byte[] piece;
    try {
      piece = supply.read(index);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    if (piece.length != sizes.get(index)) {
      throw new IOException("piece " + index + " has another size than the session's table says");
    }
    return piece;
  }

  private byte[] gone(Exception why) {
    String reason = why.getMessage() == null ? why.toString() : why.getMessage();
    gone = reason;
    return new Fields.Writer().add("gone", reason).payload();
  }

  /** Why the step could not be given a piece that it asked for; null if it had all. */
  @Nullable String gone() {
    return gone;
  }

  /** How a frame says where a piece lies. */
  static byte[] placed(int index, PlacedPiece place) {
    byte[] extent = place.extent().getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(Integer.BYTES + Long.BYTES + extent.length)
        .putInt(index)
        .putLong(place.offset())
        .put(extent)
        .array();
  }
}
