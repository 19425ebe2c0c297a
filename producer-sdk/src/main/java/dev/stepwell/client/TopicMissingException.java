package dev.stepwell.client;

import org.jspecify.annotations.Nullable;

/** Kafka is there, and a topic that Stepwell needs is not. */
public final class TopicMissingException extends StepwellException {
  private static final long serialVersionUID = 1L;

  TopicMissingException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
