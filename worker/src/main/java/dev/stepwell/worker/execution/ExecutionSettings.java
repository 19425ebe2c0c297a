package dev.stepwell.worker.execution;

/**
 * How requests are run; immutable.
 *
 * @param workerId what results call this worker
 * @param attemptsMax how often a request may be begun before it is given up
 * @param takeTimeoutMs how long a request waits for a sandbox, milliseconds
 * @param restoreTimeMs how long state may take to come back, milliseconds
 * @param saveTimeMs how long a step may take to save its state, milliseconds
 * @param resultMaxBytes the largest result message; output is cut until it fits
 */
public record ExecutionSettings(
    String workerId,
    int attemptsMax,
    long takeTimeoutMs,
    long restoreTimeMs,
    long saveTimeMs,
    int resultMaxBytes) {}
