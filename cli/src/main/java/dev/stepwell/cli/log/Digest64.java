package dev.stepwell.cli.log;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The first 64 bits of a SHA-256, which stand for it where all of it would take too much memory. */
public final class Digest64 {
  private static final int HEX_DIGITS = 16;

  private Digest64() {}

  /** Of a text as UTF-8. */
  public static long of(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return ByteBuffer.wrap(digest.digest(text.getBytes(StandardCharsets.UTF_8))).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Of a SHA-256 in hexadecimal digits; of any other text as of a text. */
  static long ofId(String id) {
    try {
      return Long.parseUnsignedLong(id.substring(0, Math.min(id.length(), HEX_DIGITS)), 16);
    } catch (NumberFormatException e) {
      return of(id);
    }
  }

  static String hex(long digest) {
    return "%016x".formatted(digest);
  }
}
