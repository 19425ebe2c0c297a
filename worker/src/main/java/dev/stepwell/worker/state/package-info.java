/**
 * Reads sessions' snapshots back: from this worker's cache, or piece by piece from where they were
 * committed.
 *
 * <p>To this package a snapshot is bytes under a hash. What is in them is between the runners of
 * two steps; a worker never looks.
 */
@NullMarked
package dev.stepwell.worker.state;

import org.jspecify.annotations.NullMarked;
