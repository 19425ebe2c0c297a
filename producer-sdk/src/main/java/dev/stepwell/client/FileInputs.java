package dev.stepwell.client;

import dev.stepwell.protocol.Bytes;
import dev.stepwell.protocol.FileInput;
import dev.stepwell.protocol.SessionOperation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Files on their way into a workspace. */
final class FileInputs {
  /** What a message and each file of it have besides paths and contents, generously. */
  private static final int MESSAGE_BYTES = 1024;

  private static final int ENTRY_BYTES = 64;

  /** The most bytes that JSON makes of one character. */
  private static final int CHARACTER_BYTES = 6;

  private FileInputs() {}

  static List<FileInput> of(Map<String, byte[]> contentByPath) {
    return contentByPath.entrySet().stream()
        .map(entry -> new FileInput(entry.getKey(), Bytes.of(entry.getValue()), null))
        .toList();
  }

  /**
   * As few lots as there need be for each to fit into one message, in the given order.
   *
   * @throws MessageTooLargeException if one file alone doesn't fit
   */
  static List<List<FileInput>> lots(Collection<FileInput> files, int maxMessageBytes) {
    List<List<FileInput>> lots = new ArrayList<>();
    long lotBytes = 0;
    for (FileInput file : files) {
      long bytes = messageBytes(file);
      if (MESSAGE_BYTES + bytes > maxMessageBytes) {
        throw new MessageTooLargeException(MESSAGE_BYTES + bytes, maxMessageBytes, null);
      }
      if (lots.isEmpty()
          || lotBytes + bytes > maxMessageBytes
          || lots.get(lots.size() - 1).size() == SessionOperation.MAX_ENTRIES) {
        lots.add(new ArrayList<>());
        lotBytes = MESSAGE_BYTES;
      }
      lots.get(lots.size() - 1).add(file);
      lotBytes += bytes;
    }
    return lots;
  }

  private static long messageBytes(FileInput file) {
    long base64 = (file.content().size() + 2L) / 3 * 4;
    return ENTRY_BYTES + (long) CHARACTER_BYTES * file.path().length() + base64;
  }
}
