package dev.stepwell.cli.log;

import java.util.List;

/**
 * A snapshot that a step left; not to be changed once made.
 *
 * @param sessionId the session
 * @param step the number of the step that left it
 * @param id its name, 64 hexadecimal digits
 * @param description what {@code dev.stepwell.worker.archive} wrote of it
 * @param pieces the names of the pieces that it consists of
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by name only.
public record RecordedSnapshot(
    String sessionId, long step, String id, byte[] description, List<String> pieces) {
  public RecordedSnapshot {
    pieces = List.copyOf(pieces);
  }
}
