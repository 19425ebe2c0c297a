package dev.stepwell.worker.archive;

import java.util.List;

/**
 * A snapshot apart from where it was stored; not to be changed once made. With its pieces it is all
 * that another installation needs.
 *
 * @param id its name: the SHA-256 of what it says, 64 hexadecimal digits
 * @param step the number of the session's last step by then
 * @param description what it says, to be given back as it is; some 100 bytes for each variable
 * @param pieces the names of its pieces, each of which is the SHA-256 of the piece's bytes
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by name only.
public record SnapshotCopy(String id, long step, byte[] description, List<String> pieces) {
  public SnapshotCopy {
    pieces = List.copyOf(pieces);
  }
}
