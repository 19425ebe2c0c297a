package dev.stepwell.worker.state;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the bytes of an object of ours; what {@link Decoder} reads. Not thread-safe.
 *
 * <p>Written without locations, an object gives its name: two that say the same have one name,
 * wherever their parts lie.
 */
public final class Encoder {
  static final int IN_BUNDLE = 0;
  static final int IN_TOPIC = 1;
  static final int IN_STORE = 2;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);
  private final boolean locations;
  private final int start;

  private Encoder(boolean locations, int start) {
    this.locations = locations;
    this.start = start;
  }

  /** Writes what an object says, and not where its parts lie. */
  public static Encoder ofContent() {
    return new Encoder(false, 0);
  }

  /** Writes an object that will be the next in a bundle. */
  public static Encoder into(Bundle bundle) {
    return new Encoder(true, bundle.size());
  }

  /** What was written. */
  public byte[] toByteArray() {
    return bytes.toByteArray();
  }

  /** The name of what was written. */
  public PieceId id() {
    return PieceId.of(toByteArray());
  }

  private interface Write {
    void to(DataOutputStream out) throws IOException;
  }

  private Encoder write(Write write) {
    try {
      write.to(out);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
  }

  /** One byte. */
  public Encoder tag(int value) {
    return write(to -> to.writeByte(value));
  }

  /** 32 bits. */
  public Encoder integer(int value) {
    return write(to -> to.writeInt(value));
  }

  /** 64 bits. */
  public Encoder number(long value) {
    return write(to -> to.writeLong(value));
  }

  /** Bytes after their count. */
  public Encoder data(byte[] value) {
    return write(
        to -> {
          to.writeInt(value.length);
          to.write(value);
        });
  }

  /** Text of any length. */
  public Encoder text(String value) {
    return data(value.getBytes(StandardCharsets.UTF_8));
  }

  /** A list of numbers after its size. */
  public Encoder integers(List<Integer> values) {
    integer(values.size());
    values.forEach(this::integer);
    return this;
  }

  /** A name. */
  public Encoder id(PieceId id) {
    return write(to -> to.write(id.bytes()));
  }

  /** A piece, and where it lies. */
  public Encoder piece(Piece piece) {
    id(piece.id()).integer(piece.bytes());
    return locations ? location(piece.location()) : this;
  }

  /** Pieces after their count. */
  public Encoder pieces(List<Piece> pieces) {
    integer(pieces.size());
    pieces.forEach(this::piece);
    return this;
  }

  /** An object that this one refers to. */
  public Encoder stored(Stored stored) {
    id(stored.id());
    return locations ? integer(stored.bytes()).location(stored.at()) : this;
  }

  private Encoder location(@Nullable Location location) {
    if (location instanceof Location.InTopic topic) {
      return Place.isWithin(topic)
          ? tag(IN_BUNDLE).integer(start - topic.start())
          : tag(IN_TOPIC)
              .integer(topic.partition())
              .number(topic.offset())
              .integer(topic.records())
              .integer(topic.start())
              .number(topic.writtenAtMs());
    }
    if (location instanceof Location.InStore store) {
      return tag(IN_STORE).number(store.writtenAtMs());
    }
    throw new IllegalStateException("a part has no place yet");
  }
}
