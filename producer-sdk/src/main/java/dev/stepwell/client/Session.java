package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.HistoryEntry;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A line of steps that share state: each sees what those before it left; thread-safe. Its steps run
 * one at a time, in the order in which they were sent. A session exists as soon as a step names it,
 * lives on without this client, and may be used by several clients. It ends when it is ended, or
 * when no step has carried it on for as long as the workers' configuration says.
 */
public final class Session {
  private final Stepwell client;
  private final String id;
  private final Operations operations;

  Session(Stepwell client, String id) {
    this.client = client;
    this.id = id;
    operations = new Operations(client);
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

  /**
   * A new session that starts with this one's newest state, which is that of the steps sent before.
   *
   * @throws StepwellException as {@link #fork(long, ForkOptions)} does
   */
  public Session fork() {
    return latest().fork();
  }

  /**
   * A new session that starts with the state after a step of this one.
   *
   * @param step the step's number, at least 1
   * @throws StepwellException as {@link #fork(long, ForkOptions)} does
   */
  public Session fork(long step) {
    return at(step).fork();
  }

  /**
   * A new session that starts with the state after a step of this one. No code runs and nothing is
   * copied; the two have nothing to do with each other from then on.
   *
   * @param step the step's number, at least 1; where it left no state, the last one before it that
   *     did counts
   * @throws SessionUnknownException if there is no such session
   * @throws SessionExistsException if the options name a session that there is
   * @throws StateUnavailableException if no such state is retained
   * @throws StepwellException if it could not be made, or is not known to be
   */
  public Session fork(long step, ForkOptions options) {
    return at(step).fork(options);
  }

  /**
   * Several new sessions that start with the state after a step of this one, made side by side.
   *
   * @param step the step's number, at least 1
   * @param count how many, at least 1
   * @throws StepwellException as {@link #fork(long, ForkOptions)} does, where one could not be
   *     made; the others are then ended, as far as they are known to have been made
   */
  public List<Session> forks(long step, int count) {
    return at(step).forks(count);
  }

  /**
   * This session as a step left it, to be looked at and forked. Waits for the session's owner to
   * find it, which takes its turn among the session's steps.
   *
   * @param step the step's number, at least 1; where it left no state, the last one before it that
   *     did counts
   * @throws SessionUnknownException if there is no such session
   * @throws StateUnavailableException if no such state is retained
   * @throws StepwellException if there is no answer
   */
  public SessionView at(long step) {
    return locate(step);
  }

  /**
   * This session as the steps sent before leave it, to be looked at and forked. Waits for them.
   *
   * @throws SessionUnknownException if there is no such session
   * @throws StateUnavailableException if none of its steps left a state
   * @throws StepwellException if there is no answer
   */
  public SessionView latest() {
    return locate(null);
  }

  /**
   * The steps that the session has had, newest first; a fork's go back into those of its source.
   * Steps that left no state may be missing, and so are those whose state has expired.
   *
   * @throws SessionUnknownException if there is no such session
   * @throws StepwellException if there is no answer
   */
  public List<HistoryEntry> history() {
    List<HistoryEntry> entries = new ArrayList<>();
    SessionAnswer.History page = historyBefore(null);
    entries.addAll(page.entries());
    while (page.more()) {
      if (page.entries().isEmpty()) {
        throw Operations.unreadable("the history is said to go on, and has nothing in it");
      }
      page = historyBefore(entries.get(entries.size() - 1).step());
      entries.addAll(page.entries());
    }
    return List.copyOf(entries);
  }

  /**
   * Drops the session's variables and files. Its steps count on, and earlier ones can still be
   * forked.
   *
   * @throws SessionUnknownException if there is no such session
   * @throws StepwellException if it was not done, or is not known to be
   */
  public void reset() {
    operations.apply(new SessionOperation.Reset(), id);
  }

  /**
   * Ends the session for good, wherever it is used: its state and history are forgotten. Its forks
   * live on. A step sent later begins another session, which has nothing of this one.
   *
   * <p>It is not called close, since nothing has to be closed: a session holds nothing in this
   * process, and letting go of this object ends nothing.
   *
   * @throws SessionUnknownException if there is no such session
   * @throws StepwellException if it was not done, or is not known to be
   */
  public void end() {
    operations.apply(new SessionOperation.End(), id);
  }

  /** The session's workspace. Nothing is sent. */
  public SessionFiles files() {
    return new SessionFiles(client, id);
  }

  private SessionView locate(@Nullable Long step) {
    SessionAnswer.Located located =
        operations.ask(new SessionOperation.Locate(step), id, SessionAnswer.Located.class);
    return new SessionView(client, located.reference(), located.step());
  }

  private SessionAnswer.History historyBefore(@Nullable Long step) {
    return operations.ask(
        new SessionOperation.History(SessionOperation.MAX_ENTRIES, step),
        id,
        SessionAnswer.History.class);
  }
}
