package dev.stepwell.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Writes tar archives with what no honest program puts into one. One thread at a time. */
final class ForgedTar {
  /** Kinds of members, as the format writes them. */
  static final char FILE = '0';

  static final char HARD_LINK = '1';
  static final char SYMBOLIC_LINK = '2';
  static final char DEVICE = '3';
  static final char FOLDER = '5';

  private static final int BLOCK = 512;
  private static final int CHECKSUM_AT = 148;
  private static final int CHECKSUM_LENGTH = 8;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Adds a member: of a file {@code text} is the content, of a link where it leads. */
  ForgedTar add(char kind, String name, String text) throws IOException {
    byte[] content = kind == FILE ? text.getBytes(StandardCharsets.UTF_8) : new byte[0];
    byte[] header = new byte[BLOCK];
    put(header, 0, name);
    put(header, 100, kind == FOLDER ? "0000755" : "0000644");
    put(header, 108, "0000000");
    put(header, 116, "0000000");
    put(header, 124, "%011o".formatted(content.length));
    put(header, 136, "%011o".formatted(0));
    Arrays.fill(header, CHECKSUM_AT, CHECKSUM_AT + CHECKSUM_LENGTH, (byte) ' ');
    header[156] = (byte) kind;
    put(header, 157, kind == FILE ? "" : text);
    put(header, 257, "ustar");
    put(header, 263, "00");
    put(header, 329, "0000001");
    put(header, 337, "0000003");
    int sum = 0;
    for (byte each : header) {
      sum += each & 0xff;
    }
    put(header, CHECKSUM_AT, "%06o\0 ".formatted(sum));
    bytes.write(header);
    bytes.write(content);
    bytes.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    return this;
  }

  /** Writes the archive with its end. */
  Path write(Path file) throws IOException {
    bytes.write(new byte[2 * BLOCK]);
    return Files.write(file, bytes.toByteArray());
  }

  private static void put(byte[] header, int at, String text) {
    byte[] field = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(field, 0, header, at, field.length);
  }
}
