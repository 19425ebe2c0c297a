package dev.stepwell.cli.run;

import dev.stepwell.protocol.ExecutionResult;

/**
 * A request's result; immutable.
 *
 * @param result the result
 * @param publishedAtMs when the request was published, milliseconds since the epoch; 0 where an
 *     earlier process of the run published it and nobody knows
 * @param answeredAtMs when the result was published, milliseconds since the epoch
 */
public record Answer(ExecutionResult result, long publishedAtMs, long answeredAtMs) {}
