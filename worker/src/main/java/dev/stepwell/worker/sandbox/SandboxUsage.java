package dev.stepwell.worker.sandbox;

import org.jspecify.annotations.Nullable;

/**
 * What a sandbox has used, measured outside it; immutable.
 *
 * @param cpuMs processor time of all its processes in milliseconds; null where unknown
 * @param peakMemoryBytes the most memory in use at once; null where unknown
 * @param memoryKills how often the kernel killed a process of it for memory
 * @param processRefusals how often the kernel refused it another process
 * @param enforcement how memory and processes are limited: {@code cgroup}, {@code rlimit}, or
 *     {@code none}
 */
public record SandboxUsage(
    @Nullable Double cpuMs,
    @Nullable Long peakMemoryBytes,
    long memoryKills,
    long processRefusals,
    String enforcement) {}
