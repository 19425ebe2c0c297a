package dev.stepwell.client;

import org.jspecify.annotations.Nullable;

/** A request has more bytes than may be sent. It was not sent. */
public final class MessageTooLargeException extends StepwellException {
  private static final long serialVersionUID = 1L;

  private final long bytes;
  private final long limitBytes;

  MessageTooLargeException(long bytes, long limitBytes, @Nullable Throwable cause) {
    super(
        "the request has %d bytes, more than the limit of %d: send less source, stdin or files, or"
                .formatted(bytes, limitBytes)
            + " raise maxRequestBytes here and the limits of topic and workers",
        cause);
    this.bytes = bytes;
    this.limitBytes = limitBytes;
  }

  /** The size of the request's message, in bytes. */
  public long bytes() {
    return bytes;
  }

  /** The limit that it broke, in bytes. */
  public long limitBytes() {
    return limitBytes;
  }
}
