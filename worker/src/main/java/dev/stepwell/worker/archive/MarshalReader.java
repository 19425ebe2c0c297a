package dev.stepwell.worker.archive;

import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads plain values in version 2 of CPython's marshal format, from bytes that may be hostile: its
 * depth, its time and its memory are bounded by their number. Used by one thread, once.
 *
 * <p>Code, sets and references to earlier values are refused: what is read here has none.
 */
final class MarshalReader {
  /** Deeper than any table of variables, and far from the end of the stack. */
  private static final int MAX_DEPTH = 32;

  /** Some 100 MiB in memory. */
  private static final int MAX_VALUES = 2_000_000;

  private static final int DIGIT_BITS = 15;

  /** Of an int: 4300 decimal digits, as many as Python itself converts. */
  private static final int MAX_DIGITS = 1000;

  private final ByteBuffer in;
  private int valuesLeft = MAX_VALUES;

  private MarshalReader(ByteBuffer in) {
    this.in = in;
  }

  /** The bytes can't be read as plain values. */
  static final class MarshalException extends Exception {
    private static final long serialVersionUID = 1L;

    MarshalException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Reads the one value that the bytes from a position on are.
   *
   * @throws MarshalException if they are anything else
   */
  static Plain read(byte[] bytes, int from) throws MarshalException {
    ByteBuffer in =
        ByteBuffer.wrap(bytes, from, bytes.length - from).order(ByteOrder.LITTLE_ENDIAN);
    MarshalReader reader = new MarshalReader(in);
    try {
      Plain value = reader.value(MAX_DEPTH);
      if (in.hasRemaining()) {
        throw new MarshalException(in.remaining() + " bytes follow the value", null);
      }
      return value;
    } catch (BufferUnderflowException e) {
      throw new MarshalException("the bytes end before the value does", e);
    }
  }

  private Plain value(int depthLeft) throws MarshalException {
    int type = in.get() & 0xff;
    if (type == 'N') {
      return Plain.Constant.NONE;
    }
    return known(type, depthLeft);
  }

  private Plain known(int type, int depthLeft) throws MarshalException {
    if (depthLeft == 0) {
      throw new MarshalException("values lie deeper than " + MAX_DEPTH + " in one another", null);
    }
    if (--valuesLeft < 0) {
      throw new MarshalException("there are more than " + MAX_VALUES + " values", null);
    }
    return switch (type) {
      case 'T' -> Plain.Constant.TRUE;
      case 'F' -> Plain.Constant.FALSE;
      case 'i' -> new Plain.Whole(BigInteger.valueOf(in.getInt()));
      case 'l' -> new Plain.Whole(large());
      case 'g' -> new Plain.Real(in.getDouble());
      case 'y' -> new Plain.Complex(in.getDouble(), in.getDouble());
      case 's' -> new Plain.Binary(data());
      case 'u' -> new Plain.Text(data());
      case '(' -> new Plain.Tuple(items(depthLeft - 1));
      case '[' -> new Plain.Sequence(items(depthLeft - 1));
      case '{' -> mapping(depthLeft - 1);
      default -> throw new MarshalException("a value of type " + type, null);
    };
  }

  private byte[] data() throws MarshalException {
    byte[] bytes = new byte[count(1)];
    in.get(bytes);
    return bytes;
  }

  /** A count that the rest of the bytes can hold, so that damage doesn't become a huge array. */
  private int count(int bytesEach) throws MarshalException {
    int count = in.getInt();
    if (count < 0 || (long) count * bytesEach > in.remaining()) {
      throw new MarshalException("a count of " + count + " is more than there is", null);
    }
    return count;
  }

  private List<Plain> items(int depthLeft) throws MarshalException {
    int count = count(1);
    List<Plain> items = new ArrayList<>(Math.min(count, 16));
    for (int i = 0; i < count; i++) {
      items.add(value(depthLeft));
    }
    return items;
  }

  /** Ends with a null where the next key would be. */
  private Plain mapping(int depthLeft) throws MarshalException {
    List<Plain.Entry> entries = new ArrayList<>();
    for (int type = in.get() & 0xff; type != '0'; type = in.get() & 0xff) {
      Plain key = type == 'N' ? Plain.Constant.NONE : known(type, depthLeft);
      entries.add(new Plain.Entry(key, value(depthLeft)));
    }
    return new Plain.Mapping(entries);
  }

  /** Digits of 15 bits, the lowest first; the sign is that of their number. */
  private BigInteger large() throws MarshalException {
    int size = in.getInt();
    long digits = Math.abs((long) size);
    if (digits > MAX_DIGITS) {
      throw new MarshalException("an int of " + digits + " digits", null);
    }
    BigInteger value = BigInteger.ZERO;
    for (int i = 0; i < digits; i++) {
      int digit = in.getShort() & 0xffff;
      if (digit >= 1 << DIGIT_BITS) {
        throw new MarshalException("a digit of " + digit, null);
      }
      value = value.or(BigInteger.valueOf(digit).shiftLeft(DIGIT_BITS * i));
    }
    return size < 0 ? value.negate() : value;
  }
}
