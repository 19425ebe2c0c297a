package dev.stepwell.worker.runner;

/** The bounds of what state is made of. */
final class Piecework {
  /** The size of a piece at most, and of all but the last piece of a file. */
  static final int MAX_PIECE_BYTES = 512 << 10;

  /** Pieces that a session's variables may be made of: their table is one field of one frame. */
  static final int MAX_PIECES = 1 << 17;

  private Piecework() {}

  /** Refuses what is no piece. */
  static void check(byte[] piece) throws ChannelViolation {
    if (piece.length == 0 || piece.length > MAX_PIECE_BYTES) {
      throw new ChannelViolation("a piece of " + piece.length + " bytes");
    }
  }
}
