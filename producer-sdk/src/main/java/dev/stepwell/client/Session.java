package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;

/**
 * A line of steps that share state: each sees what those before it left; thread-safe. Its steps run
 * one at a time, in the order in which they were sent. A session exists as soon as a step names it,
 * lives on without this client, and may be used by several clients.
 */
public final class Session {
  private final Stepwell client;
  private final String id;

  Session(Stepwell client, String id) {
    this.client = client;
    this.id = id;
  }

  /** The session's id, by which any client can go on with it. */
  public String id() {
    return id;
  }

  /**
   * Runs Python source as the session's next step and waits for its result.
   *
   * @return the result, whatever its outcome is
   * @throws NoAnswerException if there is none within the client's answer timeout
   * @throws StepwellException as {@link #submit} does
   */
  public ExecutionResult run(String source) {
    return run(Step.python(source));
  }

  /**
   * Runs the session's next step and waits for its result.
   *
   * @return the result, whatever its outcome is
   * @throws NoAnswerException if there is none within the client's answer timeout
   * @throws StepwellException as {@link #submit} does
   */
  public ExecutionResult run(Step step) {
    return submit(step).await();
  }

  /**
   * Sends the session's next step. Blocks only while there is no place for another request, or no
   * connection, and at most as long as the client's submit timeout says for each. What can't be
   * published is answered with {@link BrokerUnreachableException}.
   *
   * @throws dev.stepwell.protocol.InvalidMessageException if the step is not acceptable, naming
   *     what of it
   * @throws MessageTooLargeException if it has more bytes than may be sent
   * @throws TooManyInFlightException if there is no place for another request in time
   * @throws ClientClosedException if the client is closed
   */
  public Execution submit(Step step) {
    return client.submit(step, id);
  }
}
