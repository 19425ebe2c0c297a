package dev.stepwell.worker.state;

/**
 * Where a cached piece lies; immutable.
 *
 * @param extent the file
 * @param offset where in it, bytes
 * @param bytes the piece's size
 */
record Slot(Extent extent, long offset, int bytes) {}
