package dev.stepwell.client;

import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.SessionOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Forks of one state on their way; owned by the thread that makes them. */
final class Forks {
  private final Stepwell client;
  private final String base;
  private final boolean reseed;
  private final List<Fork> sent = new ArrayList<>();

  Forks(Stepwell client, String base, boolean reseed) {
    this.client = client;
    this.base = base;
    this.reseed = reseed;
  }

  /**
   * Makes a session of each id. They are asked for one after the other and made side by side.
   *
   * @throws StepwellException the first reason why one was not made; then the others are ended, as
   *     far as they are known to have been made
   * @throws InvalidMessageException if an id is none; the same holds
   */
  List<Session> make(List<String> ids) {
    RuntimeException failure = send(ids);
    for (Fork fork : sent) {
      // After one wait without an answer, the others are only looked at.
      Duration patience =
          failure instanceof NoAnswerException ? Duration.ZERO : client.answerTimeout();
      failure = first(failure, fork.failure(patience));
    }
    if (failure != null) {
      endThoseMade(failure);
      throw failure;
    }
    return sent.stream().map(Fork::session).toList();
  }

  /** Sends until it can't: an id may be refused too, and then what was sent is as it is. */
  private @Nullable RuntimeException send(List<String> ids) {
    try {
      for (String id : ids) {
        Execution execution = client.submit(new SessionOperation.Fork(base, reseed), id);
        sent.add(new Fork(client.session(id), execution));
      }
      return null;
    } catch (StepwellException | InvalidMessageException e) {
      return e;
    }
  }

  private void endThoseMade(RuntimeException failure) {
    for (Fork fork : sent) {
      if (fork.made()) {
        try {
          client.submit(new SessionOperation.End(), fork.session.id());
        } catch (StepwellException e) {
          failure.addSuppressed(e);
        }
      }
    }
  }

  private static @Nullable RuntimeException first(
      @Nullable RuntimeException before, @Nullable RuntimeException later) {
    return before != null ? before : later;
  }

  private record Fork(Session session, Execution execution) {
    @Nullable StepwellException failure(Duration patience) {
      try {
        Results.orThrow(execution.await(patience));
        return null;
      } catch (StepwellException e) {
        return e;
      }
    }

    /** Whether it is known to be there: an id may also be that of somebody else's session. */
    boolean made() {
      try {
        return execution.await(Duration.ZERO).outcome() == Outcome.COMPLETED;
      } catch (StepwellException e) {
        return false;
      }
    }
  }
}
