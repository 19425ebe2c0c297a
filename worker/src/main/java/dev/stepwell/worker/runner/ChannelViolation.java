package dev.stepwell.worker.runner;

import java.io.IOException;

/** What came out of a sandbox breaks the rules of the channel. */
final class ChannelViolation extends IOException {
  private static final long serialVersionUID = 1L;

  ChannelViolation(String message) {
    super(message);
  }
}
