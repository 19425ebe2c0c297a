package dev.stepwell.worker.archive;

/**
 * A snapshot that an installation holds; immutable.
 *
 * @param step the number of the step that left it
 * @param requestId the request that made it
 * @param id its name, 64 hexadecimal digits
 * @param reference where it is, as requests name it
 */
public record RetainedSnapshot(long step, String requestId, String id, String reference) {}
