package dev.stepwell.worker.archive;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Digests a row of parts, each after its length, so that no two rows look the same. Used by one
 * thread.
 */
final class Digest {
  private final MessageDigest sha256 = sha256();

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  Digest add(byte[] part) {
    sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.length));
    sha256.update(part);
    return this;
  }

  Digest add(String part) {
    return add(part.getBytes(StandardCharsets.UTF_8));
  }

  Digest add(long part) {
    return add(ByteBuffer.allocate(Long.BYTES).putLong(0, part).array());
  }

  /** A plain value, after its type: {@code 1}, {@code 1.0} and {@code True} are three. */
  Digest add(Plain value) {
    if (value instanceof Plain.Constant constant) {
      return add(constant.text());
    } else if (value instanceof Plain.Whole whole) {
      return add("int").add(whole.value().toByteArray());
    } else if (value instanceof Plain.Real real) {
      return add("float").add(Double.doubleToLongBits(real.value()));
    } else if (value instanceof Plain.Complex complex) {
      return add("complex")
          .add(Double.doubleToLongBits(complex.real()))
          .add(Double.doubleToLongBits(complex.imaginary()));
    } else if (value instanceof Plain.Text text) {
      return add("str").add(text.utf8());
    } else if (value instanceof Plain.Binary binary) {
      return add("bytes").add(binary.value());
    } else if (value instanceof Plain.Tuple tuple) {
      add("tuple").add(tuple.items().size());
      tuple.items().forEach(this::add);
    } else if (value instanceof Plain.Sequence sequence) {
      add("list").add(sequence.items().size());
      sequence.items().forEach(this::add);
    } else if (value instanceof Plain.Mapping mapping) {
      add("dict").add(mapping.entries().size());
      mapping.entries().forEach(entry -> add(entry.key()).add(entry.value()));
    }
    return this;
  }

  /** 64 hexadecimal digits; to be asked for once. */
  String hex() {
    return HexFormat.of().formatHex(sha256.digest());
  }
}
