package dev.stepwell.worker.commit;

/**
 * A snapshot that a step left and no transaction has carried yet; immutable, its array is never
 * written to after construction.
 *
 * @param id the SHA-256 of the bytes in hexadecimal
 * @param bytes the bytes, opaque
 * @param kept how many top-level names they hold
 */
@SuppressWarnings("ArrayRecordComponent") // compared by id only
public record NewSnapshot(String id, byte[] bytes, int kept) {}
