package dev.stepwell.worker.sandbox;

/**
 * The limits of a sandbox as a whole, set when it is made; immutable.
 *
 * @param memoryBytes memory of everything in it, its files included
 * @param processes processes and threads at once, the supervisor included
 * @param cpuMillis processor time per second of wall time, in thousandths of a core
 * @param diskBytes size of each of its two writable folders, {@code /tmp} and {@code /workspace}
 */
public record SandboxLimits(long memoryBytes, int processes, int cpuMillis, long diskBytes) {}
