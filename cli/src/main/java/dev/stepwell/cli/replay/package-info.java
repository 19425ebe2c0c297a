/**
 * Replays a recorded log: publishes its requests again, in their order, and compares what comes
 * back with what was recorded.
 *
 * <p>{@link dev.stepwell.cli.replay.Replay} drives, on one thread; {@code docs/replay.md} says what
 * it promises.
 */
@NullMarked
package dev.stepwell.cli.replay;

import org.jspecify.annotations.NullMarked;
