package dev.stepwell.worker.state;

/**
 * Where a piece lies in a folder; immutable.
 *
 * @param extent the file's name; files hold any number of pieces
 * @param offset where in it, a multiple of 4096
 */
public record Placement(String extent, long offset) {}
