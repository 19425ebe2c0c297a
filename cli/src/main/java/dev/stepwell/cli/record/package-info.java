/**
 * Records logs: reads a range of an installation's topics, takes secrets out, and writes what is
 * left together with the snapshots that belong to it.
 *
 * <p>{@link dev.stepwell.cli.record.Recorder} does it, on the thread of its caller.
 */
@NullMarked
package dev.stepwell.cli.record;

import org.jspecify.annotations.NullMarked;
