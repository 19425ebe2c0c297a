package dev.stepwell.client;

import static java.util.Objects.requireNonNull;

import dev.stepwell.protocol.CancelRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import dev.stepwell.protocol.codec.MessageCodec;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to Stepwell, for any number of sessions and one-shots; thread-safe. Make one for a
 * process: it holds a producer, a consumer, and a thread that reads results.
 *
 * <p>{@link #close} ends it. Every request without an answer then fails with {@link
 * ClientClosedException}, as does every later call; what was sent may still run.
 */
public final class Stepwell implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Stepwell.class);

  private final ClientOptions options;
  private final Transport transport;
  private final MessageCodec codec = new MessageCodec();
  private final PendingExecutions pending;

  Stepwell(ClientOptions options, Transport transport) {
    this.options = options;
    this.transport = transport;
    pending = new PendingExecutions(options.maxInFlight());
  }

  /**
   * Connects with default options.
   *
   * @param bootstrap where Kafka is: {@code host:port}, several separated by commas
   * @throws BrokerUnreachableException if there is no connection within 10 seconds
   * @throws TopicMissingException if Stepwell's topics are not there
   */
  public static Stepwell connect(String bootstrap) {
    return builder(bootstrap).connect();
  }

  /**
   * Options for a connection.
   *
   * @param bootstrap where Kafka is: {@code host:port}, several separated by commas
   */
  public static StepwellBuilder builder(String bootstrap) {
    return new StepwellBuilder(requireNonNull(bootstrap, "bootstrap"));
  }

  /** Starts to read results; closes everything where that fails. */
  Stepwell open() {
    try {
      transport.open(pending);
      return this;
    } catch (RuntimeException e) {
      transport.close();
      throw e;
    }
  }

  /**
   * The session of that name, whether or not it has had steps before. Nothing is sent.
   *
   * @param id 1 to 128 printable ASCII characters without spaces
   */
  public Session session(String id) {
    return new Session(this, requireNonNull(id, "id"));
  }

  /** A session that nobody else has, under a random name. Nothing is sent. */
  public Session newSession() {
    return session(UUID.randomUUID().toString());
  }

  /**
   * Runs Python source as a one-shot, without state, and waits for its result.
   *
   * @return the result, whatever its outcome is
   * @throws NoAnswerException if there is none within the answer timeout
   * @throws StepwellException as {@link #submit} does
   */
  public ExecutionResult run(String source) {
    return run(Step.python(source));
  }

  /**
   * Runs a step as a one-shot, without state, and waits for its result.
   *
   * @return the result, whatever its outcome is
   * @throws NoAnswerException if there is none within the answer timeout
   * @throws StepwellException as {@link #submit} does
   */
  public ExecutionResult run(Step step) {
    return submit(step).await();
  }

  /**
   * Sends a step as a one-shot, without state. Blocks only while there is no place for another
   * request, or no connection, and at most as long as the submit timeout says for each. What can't
   * be published is answered with {@link BrokerUnreachableException}.
   *
   * @throws dev.stepwell.protocol.InvalidMessageException if the step is not acceptable, naming
   *     what of it
   * @throws MessageTooLargeException if it has more bytes than may be sent
   * @throws TooManyInFlightException if there is no place for another request in time
   * @throws ClientClosedException if the client is closed
   */
  public Execution submit(Step step) {
    return submit(step, null);
  }

  /** Ends the connection, within some 10 seconds. The second time there is nothing to do. */
  @Override
  public void close() {
    pending.failAll(
        requestId ->
            new ClientClosedException(
                "the client is closed, and request " + requestId + " has no answer", null));
    transport.close();
  }

  Execution submit(Step step, @Nullable String sessionId) {
    return submit(step.request(newRequestId(), sessionId, options.replyTopic()));
  }

  /** Sends a step that sees a state and leaves none. */
  Execution submitOn(String base, Step step) {
    return submit(step.requestOn(base, newRequestId(), options.replyTopic()));
  }

  /** Sends an operation; without a session only one that reads a state by its reference. */
  Execution submit(SessionOperation operation, @Nullable String sessionId) {
    return submit(
        new SessionRequest(newRequestId(), sessionId, operation, null, options.replyTopic()));
  }

  private Execution submit(Request request) {
    byte[] message = codec.encode(request);
    if (message.length > options.maxRequestBytes()) {
      throw new MessageTooLargeException(message.length, options.maxRequestBytes(), null);
    }
    CompletableFuture<ExecutionResult> answer =
        pending.add(request.requestId(), request.key(), options.submitTimeout());
    send(
        request.requestId(),
        new Transport.OutgoingMessage(options.topics().requests(), request.key(), message));
    return new Execution(this, request.requestId(), request.sessionId(), answer);
  }

  private static String newRequestId() {
    return UUID.randomUUID().toString();
  }

  private void send(String requestId, Transport.OutgoingMessage message) {
    try {
      transport.send(message, failure -> pending.fail(requestId, failure));
    } catch (RuntimeException e) {
      pending.remove(requestId);
      throw e;
    }
  }

  void cancel(CancelRequest cancel) {
    String key = cancel.sessionId() == null ? cancel.requestId() : cancel.sessionId();
    transport.send(
        new Transport.OutgoingMessage(options.topics().control(), key, codec.encode(cancel)),
        failure -> LOG.warn("cancel of request {} was not sent", cancel.requestId(), failure));
  }

  void abandon(String requestId, NoAnswerException reason) {
    pending.fail(requestId, reason);
  }

  int maxRequestBytes() {
    return options.maxRequestBytes();
  }

  Duration answerTimeout() {
    return options.answerTimeout();
  }
}
