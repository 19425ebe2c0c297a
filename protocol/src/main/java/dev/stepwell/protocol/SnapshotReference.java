package dev.stepwell.protocol;

import java.util.Objects;

/**
 * Where a snapshot lies in the blob topic, and how large the state is; immutable.
 *
 * @param id its name: the SHA-256 of what it says, 64 hexadecimal digits
 * @param partition the partition; a fork's first snapshot lies in that of another session
 * @param offset the offset of the record in which it begins
 * @param records how many consecutive records it lies in, at least 1
 * @param start where in the first of them it begins, bytes
 * @param bytes its own size, without what it refers to
 * @param writtenAtMs when it was written, milliseconds since the epoch
 * @param state what it is a snapshot of
 */
public record SnapshotReference(
    String id,
    int partition,
    long offset,
    int records,
    int start,
    int bytes,
    long writtenAtMs,
    StateSize state) {
  public SnapshotReference {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(state, "state");
    Checks.sha256("snapshot.id", id);
    Checks.atLeast("snapshot.partition", (long) partition, 0);
    Checks.atLeast("snapshot.offset", offset, 0);
    Checks.atLeast("snapshot.records", (long) records, 1);
    Checks.atLeast("snapshot.start", (long) start, 0);
    Checks.atLeast("snapshot.bytes", (long) bytes, 1);
  }
}
