package dev.stepwell.worker.commit;

import dev.stepwell.protocol.Head;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one request's transaction must carry; immutable.
 *
 * @param offset the request's offset, which becomes finished
 * @param records the result, and the dead letter if there is one; empty for a duplicate
 * @param session what becomes of the session; null where there is none, or nothing changes
 */
public record Answer(long offset, List<Outgoing> records, @Nullable SessionAdvance session) {
  public Answer {
    records = List.copyOf(records);
  }

  /** An answer that publishes nothing: somebody has answered this request before. */
  public static Answer nothing(long offset) {
    return new Answer(offset, List.of(), null);
  }

  /**
   * A session's next head; immutable.
   *
   * @param sessionId the session
   * @param head its next head; its snapshot reference is the old one, or is filled in by the
   *     transaction when there is a new snapshot
   * @param snapshot the new snapshot, or null
   */
  public record SessionAdvance(String sessionId, Head head, @Nullable NewSnapshot snapshot) {
    SessionAdvance withHead(Head committed) {
      return new SessionAdvance(sessionId, committed, snapshot);
    }
  }

  Answer withSession(SessionAdvance advance) {
    return new Answer(offset, records, advance);
  }

  /** The bytes that the transaction will carry for this answer, roughly. */
  long payloadBytes() {
    long bytes =
        session != null && session.snapshot() != null ? session.snapshot().bytes().length : 0;
    for (Outgoing record : records) {
      bytes += record.value() == null ? 0 : record.value().length;
    }
    return bytes;
  }
}
