package dev.stepwell.protocol;

import java.util.List;
import java.util.Objects;

/**
 * Where a snapshot lies; immutable.
 *
 * @param id the SHA-256 of its bytes, 64 hexadecimal digits
 * @param bytes its size
 * @param kept how many top-level names it holds
 * @param offsets the offsets in the blob topic of its pieces, in order, in the partition of the
 *     session
 */
public record SnapshotReference(String id, long bytes, int kept, List<Long> offsets) {
  public SnapshotReference {
    Objects.requireNonNull(id, "id");
    Checks.sha256("snapshot.id", id);
    Checks.atLeast("snapshot.bytes", bytes, 0);
    Checks.atLeast("snapshot.kept", (long) kept, 0);
    offsets = List.copyOf(offsets);
  }
}
