package dev.stepwell.worker.archive;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Gives the bytes of pieces. */
@FunctionalInterface
public interface PieceSupply {
  /** The bytes of a piece; null where it isn't there. */
  byte @Nullable [] piece(String id) throws IOException, InterruptedException;
}
