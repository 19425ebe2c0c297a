package dev.stepwell.client;

import java.util.function.Consumer;

/** Carries messages to the workers and their replies back. Thread-safe. */
interface Transport extends AutoCloseable {
  /**
   * Starts to hand replies to a listener, from a thread of the transport's. When it returns, no
   * reply to a message sent later can be missed.
   */
  void open(ReplyListener listener);

  /**
   * Sends a message, after those sent before under the same key. May block while there is no
   * connection.
   *
   * @param onFailure called from any thread, once, if the message is not certain to have been
   *     published
   */
  void send(OutgoingMessage message, Consumer<StepwellException> onFailure);

  /** Ends the hand-over and lets go of all resources. What is being sent is given a few seconds. */
  @Override
  void close();

  /** Who takes the replies; called from one thread. */
  interface ReplyListener {
    /** Whether replies under a key are of any interest. */
    boolean wants(String key);

    /** Takes a reply's message. */
    void reply(byte[] message);

    /** No more replies will come. */
    void broken(StepwellException reason);
  }

  /**
   * A message to send; the array is not to be changed.
   *
   * @param topic where to
   * @param key the session's id, or the request's for a one-shot
   * @param value the message
   */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares messages to be sent.
  record OutgoingMessage(String topic, String key, byte[] value) {}
}
