package dev.stepwell.cli.log;

import dev.stepwell.protocol.ExecutionResult;

/**
 * A result as it was published; immutable.
 *
 * @param atMs when it was published, in milliseconds since the epoch; 0 where the log doesn't say
 * @param result the result
 */
public record RecordedResult(long atMs, ExecutionResult result) {}
