package dev.stepwell.worker.state;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The name of a piece: the SHA-256 of its bytes; immutable. Always computed here, never believed
 * from a sandbox.
 *
 * @param hex 64 lower-case hexadecimal digits
 */
public record PieceId(String hex) {
  /** The size of a name. */
  static final int BYTES = 32;

  private static final int DIGITS = 2 * BYTES;

  public PieceId {
    if (hex.length() != DIGITS || !hex.chars().allMatch(PieceId::isDigit)) {
      throw new IllegalArgumentException("not a SHA-256: " + hex);
    }
  }

  private static boolean isDigit(int character) {
    return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'f');
  }

  /** The name of these bytes. */
  public static PieceId of(byte[] bytes) {
    return of(bytes, 0, bytes.length);
  }

  /** The name that these 32 bytes are. */
  static PieceId named(byte[] bytes) {
    return new PieceId(HexFormat.of().formatHex(bytes));
  }

  byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }

  /** The name of a range of bytes. */
  public static PieceId of(byte[] bytes, int from, int length) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(bytes, from, length);
      return new PieceId(HexFormat.of().formatHex(digest.digest()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
