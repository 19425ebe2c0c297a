package dev.stepwell.worker.runner;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The names that files of a workspace may have. */
final class FileNames {
  private static final int MAX_PATH_BYTES = 4096;
  private static final int MAX_PART_BYTES = 255;
  private static final int MAX_DEPTH = 64;

  private FileNames() {}

  /** Refuses what is not a path within a workspace: relative, plain, and of a size to be made. */
  static void checkPath(String path) throws ChannelViolation {
    String[] parts = path.split("/", -1);
    if (parts.length > MAX_DEPTH || size(path) > MAX_PATH_BYTES || path.indexOf('\0') >= 0) {
      throw new ChannelViolation("a path of " + parts.length + " parts that no workspace holds");
    }
    for (String part : parts) {
      if (part.isEmpty() || part.equals(".") || part.equals("..") || size(part) > MAX_PART_BYTES) {
        throw new ChannelViolation("a path with the part '" + part + "'");
      }
    }
  }

  /** Refuses what can't be the text of a link. */
  static void checkTarget(String target) throws ChannelViolation {
    if (target.isEmpty() || size(target) > MAX_PATH_BYTES || target.indexOf('\0') >= 0) {
      throw new ChannelViolation("a link to nowhere");
    }
  }

  /** Reads UTF-8, and nothing that is only nearly so. */
  static String utf8(byte[] bytes) throws ChannelViolation {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new ChannelViolation("a name that is no UTF-8");
    }
  }

  private static int size(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
