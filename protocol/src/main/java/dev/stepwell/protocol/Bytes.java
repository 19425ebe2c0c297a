package dev.stepwell.protocol;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;

/** Some bytes as a value: immutable, thread-safe, equal to others of the same content. */
public final class Bytes {
  /** No bytes. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] content;

  private Bytes(byte[] content) {
    this.content = content;
  }

  /** A copy of an array, which may change afterwards. */
  public static Bytes of(byte[] content) {
    return content.length == 0 ? EMPTY : new Bytes(content.clone());
  }

  /**
   * What Base64 of the basic alphabet, with its padding, stands for.
   *
   * @throws IllegalArgumentException if the text is no such Base64
   */
  public static Bytes fromBase64(String text) {
    return new Bytes(Base64.getDecoder().decode(text));
  }

  /** These bytes in Base64 of the basic alphabet, padded. */
  public String toBase64() {
    return Base64.getEncoder().encodeToString(content);
  }

  /** How many there are. */
  public int size() {
    return content.length;
  }

  /** A copy. */
  public byte[] toArray() {
    return content.clone();
  }

  /** The bytes themselves, to be read and not copied; a buffer of the caller's own each time. */
  public ByteBuffer buffer() {
    return ByteBuffer.wrap(content).asReadOnlyBuffer();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }

  /** How many, not which: contents may be large, and may be secrets. */
  @Override
  public String toString() {
    return content.length + " bytes";
  }
}
