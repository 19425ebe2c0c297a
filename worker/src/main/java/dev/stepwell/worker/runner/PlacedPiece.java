package dev.stepwell.worker.runner;

/**
 * Where in its sandbox's folder of pieces a piece lies; immutable.
 *
 * @param extent the file's name: 1 to 64 characters of {@code a-z0-9-}
 * @param offset where in it the piece begins, a multiple of 4096
 */
public record PlacedPiece(String extent, long offset) {}
