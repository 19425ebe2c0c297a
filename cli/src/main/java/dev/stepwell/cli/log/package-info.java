/**
 * Recorded logs: requests with their results and the snapshots they need, in one portable file.
 *
 * <p>{@link dev.stepwell.cli.log.RecordedLog} reads one, {@code docs/log-format.md} says what is in
 * it.
 */
@NullMarked
package dev.stepwell.cli.log;

import org.jspecify.annotations.NullMarked;
