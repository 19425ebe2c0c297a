package dev.stepwell.cli.compare;

import dev.stepwell.protocol.Bytes;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Says in few words what some bytes are. Stateless. */
final class Contents {
  /** What is shown as text; anything larger is better compared with a tool made for it. */
  private static final int TEXT_BYTES = 64 << 10;

  private Contents() {}

  /** Size and hash. No rule takes the hash for a random identifier: it stands in two halves. */
  static String hashed(byte[] bytes) {
    return "%d bytes, sha256 %s".formatted(bytes.length, shortened(sha256(bytes)));
  }

  /** A hash, so much of it that rules leave it alone. */
  static String shortened(String sha256) {
    String digits = sha256.substring(0, Math.min(sha256.length(), 24));
    return digits.replaceAll("(.{8})(?=.)", "$1-");
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The text that some bytes are; null for none, for too many, and for what is no text. */
  static @Nullable String text(@Nullable Bytes bytes) {
    if (bytes == null || bytes.size() > TEXT_BYTES) {
      return null;
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(bytes.buffer()).toString();
      return text.indexOf('\0') < 0 ? text : null;
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
