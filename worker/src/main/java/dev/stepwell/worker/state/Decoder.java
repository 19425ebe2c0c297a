package dev.stepwell.worker.state;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link Encoder} wrote; places within the bundle come out absolute. Not thread-safe.
 *
 * <p>Damage shows as a {@link BufferUnderflowException} or an {@link IllegalArgumentException}.
 */
public final class Decoder {
  private final ByteBuffer in;
  private final Location.@Nullable InTopic own;

  /**
   * Reads what was written with locations.
   *
   * @param own where the object lies
   */
  public Decoder(byte[] object, Location.InTopic own) {
    this(ByteBuffer.wrap(object), own);
  }

  private Decoder(ByteBuffer in, Location.@Nullable InTopic own) {
    this.in = in;
    this.own = own;
  }

  /** Reads what was written without locations; its pieces come out without, too. */
  public static Decoder ofContent(byte[] object) {
    return new Decoder(ByteBuffer.wrap(object), null);
  }

  /** Whether all has been read. */
  public boolean atEnd() {
    return !in.hasRemaining();
  }

  /** One byte. */
  public int tag() {
    return in.get() & 0xff;
  }

  /** 32 bits. */
  public int integer() {
    return in.getInt();
  }

  /** 64 bits. */
  public long number() {
    return in.getLong();
  }

  /** Bytes after their count. */
  public byte[] data() {
    int size = count(1);
    byte[] bytes = new byte[size];
    in.get(bytes);
    return bytes;
  }

  /** Text. */
  public String text() {
    return new String(data(), StandardCharsets.UTF_8);
  }

  /** A list of numbers. */
  public List<Integer> integers() {
    int size = count(Integer.BYTES);
    List<Integer> values = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      values.add(integer());
    }
    return values;
  }

  /** A name. */
  public PieceId id() {
    byte[] bytes = new byte[PieceId.BYTES];
    in.get(bytes);
    return PieceId.named(bytes);
  }

  /** A piece, and where it lies. */
  public Piece piece() {
    PieceId id = id();
    int bytes = integer();
    return new Piece(id, bytes, own == null ? null : location(bytes, own));
  }

  /** Pieces. */
  public List<Piece> pieces() {
    int size = count(PieceId.BYTES);
    List<Piece> pieces = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      pieces.add(piece());
    }
    return pieces;
  }

  /** An object that this one refers to. */
  public Stored stored() {
    PieceId id = id();
    int bytes = integer();
    if (own != null && location(bytes, own) instanceof Location.InTopic topic) {
      return new Stored(id, bytes, topic);
    }
    throw new IllegalArgumentException("an object lies outside the topic");
  }

  private Location location(int bytes, Location.InTopic from) {
    int kind = tag();
    return switch (kind) {
      case Encoder.IN_BUNDLE -> Place.before(from, integer(), bytes);
      case Encoder.IN_TOPIC ->
          new Location.InTopic(integer(), number(), integer(), integer(), number());
      case Encoder.IN_STORE -> new Location.InStore(number());
      default -> throw new IllegalArgumentException("a location of kind " + kind);
    };
  }

  /** A count that the rest of the bytes can hold, so that damage doesn't become a huge array. */
  private int count(int bytesEach) {
    int count = in.getInt();
    if (count < 0 || (long) count * bytesEach > in.remaining()) {
      throw new IllegalArgumentException("a count of " + count + " is more than there is");
    }
    return count;
  }
}
