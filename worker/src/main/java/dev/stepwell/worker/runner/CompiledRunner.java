package dev.stepwell.worker.runner;

/**
 * The runner for one interpreter; its array is not to be changed.
 *
 * @param python the interpreter's version, such as {@code 3.11.2}
 * @param program what its bootstrap reads
 */
@SuppressWarnings("ArrayRecordComponent") // Sent, never compared.
record CompiledRunner(String python, byte[] program) {}
