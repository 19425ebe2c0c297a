package dev.stepwell.worker.snapshot;

import dev.stepwell.worker.state.Bundle;
import dev.stepwell.worker.state.Decoder;
import dev.stepwell.worker.state.Encoder;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.PieceId;
import dev.stepwell.worker.state.Place;
import dev.stepwell.worker.state.Stored;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The variables of a session; not to be changed once made.
 *
 * @param body the runner's description of them, opaque
 * @param pieces the table of pieces that the body refers to by their places in it
 * @param eager the places of pieces that every step will want
 * @param kept how many top-level names there are
 * @param liveBytes what they take, body and pieces
 * @param image what the step that left them ran in
 * @param stored where they, as they are, were written down; null if they were not yet
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by name only.
public record SessionVariables(
    byte[] body,
    List<Piece> pieces,
    List<Integer> eager,
    int kept,
    long liveBytes,
    String image,
    @Nullable Stored stored) {
  /** No variables. */
  public static final SessionVariables NONE =
      new SessionVariables(new byte[0], List.of(), List.of(), 0, 0, "", null);

  public SessionVariables {
    pieces = List.copyOf(pieces);
    eager = List.copyOf(eager);
  }

  /** Their name: the hash of what they say, wherever their pieces lie. */
  public PieceId id() {
    if (stored != null) {
      return stored.id();
    }
    Encoder content = Encoder.ofContent();
    encode(content);
    return content.id();
  }

  /** Writes them down, unless they are; the places of the bundle come out relative to it. */
  SessionVariables write(UnaryOperator<Piece> placed, Bundle bundle) {
    if (stored != null) {
      return this;
    }
    SessionVariables whole = with(pieces.stream().map(placed).toList(), null);
    Encoder object = Encoder.into(bundle);
    whole.encode(object);
    return whole.with(whole.pieces, bundle.add(id(), object.toByteArray()));
  }

  /** The same once the bundle has a place. */
  SessionVariables resolve(Place place) {
    Stored relative = Objects.requireNonNull(stored, "written down before");
    Stored absolute = place.resolve(relative);
    return absolute.equals(relative)
        ? this
        : with(pieces.stream().map(place::resolve).toList(), absolute);
  }

  /** The same as if never written down, so that the next bundle holds them again. */
  public SessionVariables withPieces(List<Piece> table) {
    return with(table, null);
  }

  private SessionVariables with(List<Piece> table, @Nullable Stored where) {
    return new SessionVariables(body, table, eager, kept, liveBytes, image, where);
  }

  private void encode(Encoder out) {
    out.data(body).pieces(pieces).integers(eager).integer(kept).number(liveBytes).text(image);
  }

  static SessionVariables decode(byte[] object, Stored stored) {
    Decoder in = new Decoder(object, stored.at());
    return new SessionVariables(
        in.data(), in.pieces(), in.integers(), in.integer(), in.number(), in.text(), stored);
  }
}
