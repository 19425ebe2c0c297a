package dev.stepwell.client;

import org.jspecify.annotations.Nullable;

/**
 * There is no connection to Kafka, or it refuses this client. Where it happens after connecting,
 * the message says whether the request may have been published.
 */
public final class BrokerUnreachableException extends StepwellException {
  private static final long serialVersionUID = 1L;

  BrokerUnreachableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
