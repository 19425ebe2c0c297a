package dev.stepwell.client;

import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import org.jspecify.annotations.Nullable;

/** Has operations done and takes their answers; immutable and thread-safe. */
final class Operations {
  private final Stepwell client;

  Operations(Stepwell client) {
    this.client = client;
  }

  /** Has an operation done that has nothing to answer. */
  void apply(SessionOperation operation, @Nullable String sessionId) {
    done(client.submit(operation, sessionId));
  }

  /** Asks a question of a session, or of a state by its reference. */
  <A extends SessionAnswer> A ask(
      SessionOperation question, @Nullable String sessionId, Class<A> type) {
    return answer(client.submit(question, sessionId), type);
  }

  /** Waits for an operation that has nothing to answer. */
  static void done(Execution execution) {
    Results.orThrow(execution.await());
  }

  /** Waits for an answer. */
  static <A extends SessionAnswer> A answer(Execution execution, Class<A> type) {
    ExecutionResult result = Results.orThrow(execution.await());
    SessionAnswer answer = result.session();
    if (!type.isInstance(answer)) {
      throw unreadable(
          "request %s was answered with %s, and not with %s"
              .formatted(
                  execution.requestId(),
                  answer == null ? "nothing" : answer.getClass().getSimpleName(),
                  type.getSimpleName()));
    }
    return type.cast(answer);
  }

  static UnreadableResultException unreadable(String message) {
    return new UnreadableResultException(message, null);
  }
}
