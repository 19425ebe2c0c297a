package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A session as one of its steps left it; immutable and thread-safe. What runs here sees that state
 * and leaves nothing: the session goes on as if nobody had looked. It can be used for as long as
 * the state is retained; after that everything here fails with {@link StateUnavailableException}.
 */
public final class SessionView {
  private final Stepwell client;
  private final String reference;
  private final long step;

  SessionView(Stepwell client, String reference, long step) {
    this.client = client;
    this.reference = reference;
    this.step = step;
  }

  /**
   * The number of the step that left this state. It is below the one that was asked for where that
   * one left none.
   */
  public long step() {
    return step;
  }

  /**
   * Runs Python source on this state and waits for its result.
   *
   * @return the result, whatever its outcome is
   * @throws NoAnswerException if there is none within the client's answer timeout
   * @throws StepwellException as {@link #submit} does
   */
  public ExecutionResult run(String source) {
    return run(Step.python(source));
  }

  /**
   * Runs a step on this state and waits for its result.
   *
   * @return the result, whatever its outcome is
   * @throws NoAnswerException if there is none within the client's answer timeout
   * @throws StepwellException as {@link #submit} does
   */
  public ExecutionResult run(Step toRun) {
    return submit(toRun).await();
  }

  /**
   * Sends a step to be run on this state, as a one-shot: any number of them run side by side, on
   * any workers. Blocks and throws as {@link Stepwell#submit} does.
   */
  public Execution submit(Step toRun) {
    return client.submitOn(reference, toRun);
  }

  /**
   * A new session that starts with this state.
   *
   * @throws StepwellException as {@link #fork(ForkOptions)} does
   */
  public Session fork() {
    return fork(ForkOptions.defaults());
  }

  /**
   * A new session that starts with this state. No code runs and nothing is copied. Waits until it
   * is made, at most as long as the client's answer timeout says.
   *
   * @throws SessionExistsException if the options name a session that there is
   * @throws StateUnavailableException if the state is no longer retained
   * @throws StepwellException if it could not be made, or is not known to be
   */
  public Session fork(ForkOptions options) {
    return new Forks(client, reference, options.reseeds()).make(List.of(options.idOfOne())).get(0);
  }

  /**
   * Several new sessions that start with this state.
   *
   * @throws StepwellException as {@link #forks(int, ForkOptions)} does
   */
  public List<Session> forks(int count) {
    return forks(count, ForkOptions.defaults());
  }

  /**
   * Several new sessions that start with this state, made side by side. Waits until all are made,
   * at most as long as the client's answer timeout says for each.
   *
   * @param count how many, at least 1
   * @throws StepwellException the first reason why one was not made; the others are then ended, as
   *     far as they are known to have been made
   */
  public List<Session> forks(int count, ForkOptions options) {
    if (count < 1) {
      throw new IllegalArgumentException("count is " + count + ", must be at least 1");
    }
    return new Forks(client, reference, options.reseeds())
        .make(IntStream.rangeClosed(1, count).mapToObj(options::idOf).toList());
  }

  /** The workspace as that step left it. Nothing is sent. */
  public WorkspaceFiles files() {
    return new WorkspaceFiles(client, null, reference);
  }
}
