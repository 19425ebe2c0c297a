package dev.stepwell.worker.snapshot;

import dev.stepwell.protocol.SnapshotReference;
import dev.stepwell.protocol.StateSize;
import dev.stepwell.worker.state.Location;
import dev.stepwell.worker.state.PieceId;
import dev.stepwell.worker.state.Stored;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Snapshots' names as clients carry them from one worker to another. Whoever has one can read the
 * snapshot; nobody can guess one, for it holds the snapshot's hash.
 */
public final class References {
  private static final Pattern FORM = Pattern.compile("s1(\\.[0-9]{1,18}){6}\\.[0-9a-f]{64}");

  private static final int FIRST_NUMBER = 1;

  private References() {}

  /** What a head refers to. */
  public static Stored stored(SnapshotReference reference) {
    return new Stored(
        new PieceId(reference.id()),
        reference.bytes(),
        new Location.InTopic(
            reference.partition(),
            reference.offset(),
            reference.records(),
            reference.start(),
            reference.writtenAtMs()));
  }

  /** What a head says of a snapshot that was written down there. */
  public static SnapshotReference head(Stored stored, StateSize size) {
    Location.InTopic at = stored.at();
    return new SnapshotReference(
        stored.id().hex(),
        at.partition(),
        at.offset(),
        at.records(),
        at.start(),
        stored.bytes(),
        at.writtenAtMs(),
        size);
  }

  /** The name of what was written down there. */
  public static String text(Stored stored) {
    Location.InTopic at = stored.at();
    return "s1.%d.%d.%d.%d.%d.%d.%s"
        .formatted(
            at.partition(),
            at.offset(),
            at.records(),
            at.start(),
            stored.bytes(),
            at.writtenAtMs(),
            stored.id().hex());
  }

  /**
   * What a name stands for.
   *
   * @throws IllegalArgumentException if it is no such name
   */
  public static Stored parse(String text) {
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException("not a reference to a snapshot");
    }
    List<String> parts = List.of(text.split("\\.", -1));
    long[] numbers = parts.subList(FIRST_NUMBER, 7).stream().mapToLong(Long::parseLong).toArray();
    return new Stored(
        new PieceId(parts.get(7)),
        Math.toIntExact(numbers[4]),
        new Location.InTopic(
            Math.toIntExact(numbers[0]),
            numbers[1],
            Math.toIntExact(numbers[2]),
            Math.toIntExact(numbers[3]),
            numbers[5]));
  }
}
