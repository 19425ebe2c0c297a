package dev.stepwell.worker.commit;

import dev.stepwell.protocol.Head;
import dev.stepwell.worker.snapshot.PendingSnapshot;
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
   *     transaction when there is a new snapshot. Null ends the session.
   * @param snapshot the new snapshot, or null
   */
  public record SessionAdvance(
      String sessionId, @Nullable Head head, @Nullable PendingSnapshot snapshot) {
    SessionAdvance withHead(Head committed) {
      return new SessionAdvance(sessionId, committed, snapshot);
    }
  }

  Answer withSession(SessionAdvance advance) {
    return new Answer(offset, records, advance);
  }

  /** The snapshot that the transaction must carry; null for none. */
  @Nullable PendingSnapshot snapshot() {
    return session == null ? null : session.snapshot();
  }

  /** Lets go of what it holds for its snapshot; to be called once it is committed or given up. */
  public void close() {
    PendingSnapshot snapshot = snapshot();
    if (snapshot != null) {
      snapshot.close();
    }
  }

  /** The bytes that the transaction will carry for this answer, roughly. */
  long payloadBytes() {
    PendingSnapshot snapshot = snapshot();
    long bytes = snapshot == null ? 0 : snapshot.payloadBytes();
    for (Outgoing record : records) {
      bytes += record.value() == null ? 0 : record.value().length;
    }
    return bytes;
  }
}
