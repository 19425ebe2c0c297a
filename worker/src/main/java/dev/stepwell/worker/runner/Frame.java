package dev.stepwell.worker.runner;

/**
 * One frame of the runner's channel; owned by whoever read it.
 *
 * @param type what it is, an ASCII letter; {@code docs/runner-channel.md} lists them
 * @param payload at most {@link #MAX_PAYLOAD_BYTES} bytes
 */
@SuppressWarnings("ArrayRecordComponent") // Frames are passed on, never compared.
record Frame(char type, byte[] payload) {
  /** Large enough for a verdict with its richer forms, small enough to be read in one piece. */
  static final int MAX_PAYLOAD_BYTES = 1 << 20;
}
