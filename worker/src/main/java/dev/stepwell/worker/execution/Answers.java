package dev.stepwell.worker.execution;

import dev.stepwell.protocol.DeadLetter;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.SnapshotReference;
import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.worker.commit.Answer;
import dev.stepwell.worker.commit.Outgoing;
import dev.stepwell.worker.snapshot.PendingSnapshot;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts what a request's transaction must carry into records. Immutable and thread-safe. */
final class Answers {
  private static final String TRACE_HEADER = "traceparent";

  private final Topics topics;
  private final MessageCodec codec;
  private final int resultMaxBytes;

  Answers(Topics topics, MessageCodec codec, int resultMaxBytes) {
    this.topics = topics;
    this.codec = codec;
    this.resultMaxBytes = resultMaxBytes;
  }

  /** The result's record, under the request's key, with the request's trace. */
  Outgoing result(ResultDraft draft, Arrival arrival, String topic) {
    byte[] trace = arrival.headers().get(TRACE_HEADER);
    return new Outgoing(
        topic,
        arrival.key(),
        encode(draft),
        trace == null ? Map.of() : Map.of(TRACE_HEADER, trace));
  }

  /** Escaping can make of one byte six, so the bounds on the parts don't bound the message. */
  private byte[] encode(ResultDraft draft) {
    byte[] encoded = codec.encode(draft.build());
    while (encoded.length > resultMaxBytes && draft.leaveOutForms()) {
      encoded = codec.encode(draft.build());
    }
    while (encoded.length > resultMaxBytes && draft.longestStream() > 0) {
      encoded = codec.encode(draft.shorten(draft.longestStream() / 2).build());
    }
    return encoded;
  }

  /** The request's record as it came, with where it came from and why it is here. */
  Outgoing deadLetter(Arrival arrival, ErrorCode code, String reason) {
    Map<String, byte[]> headers = new HashMap<>(arrival.headers());
    headers.put(DeadLetter.TOPIC, utf8(topics.requests()));
    headers.put(DeadLetter.PARTITION, utf8(Integer.toString(arrival.lease().partition())));
    headers.put(DeadLetter.OFFSET, utf8(Long.toString(arrival.offset())));
    headers.put(DeadLetter.CODE, utf8(code.name()));
    headers.put(DeadLetter.REASON, utf8(reason));
    return new Outgoing(topics.deadLetters(), arrival.key(), arrival.value(), headers);
  }

  /** What becomes of the session: it remembers the request, and has gone on if a step was run. */
  static Answer.SessionAdvance advance(
      String sessionId,
      ExecutionResult result,
      Assignment assignment,
      @Nullable PendingSnapshot snapshot) {
    Head before = assignment.head();
    long stepBefore = before == null ? 0 : before.step();
    // The first step that leaves a state has taken its new seed into it.
    boolean reseed = before != null && before.reseed() && snapshot == null;
    Head head =
        new Head(
            result.step() == null ? stepBefore : result.step(),
            assignment.arrival().offset(),
            recent(before, result.requestId()),
            before == null ? null : before.snapshot(),
            reseed);
    return new Answer.SessionAdvance(sessionId, head, snapshot);
  }

  /** What becomes of the session by an operation; one that there isn't comes to be by a change. */
  static Answer.@Nullable SessionAdvance advance(
      String sessionId, String requestId, Assignment assignment, SessionOperations.Done done) {
    Head before = assignment.head();
    SessionOperations.Change change = done.change();
    if (change != null && change.ended()) {
      return new Answer.SessionAdvance(sessionId, null, null);
    }
    if (change == null && before == null) {
      return null;
    }
    SnapshotReference reference = before == null ? null : before.snapshot();
    boolean reseed = before != null && before.reseed();
    if (change != null) {
      reference = change.reference() == null ? reference : change.reference();
      reseed = change.reseed();
    }
    Head head =
        new Head(
            done.step(),
            assignment.arrival().offset(),
            recent(before, requestId),
            reference,
            reseed);
    return new Answer.SessionAdvance(sessionId, head, change == null ? null : change.snapshot());
  }

  private static List<String> recent(@Nullable Head before, String requestId) {
    List<String> recent = new ArrayList<>(before == null ? List.of() : before.recentRequests());
    recent.add(Fingerprint.of(requestId));
    if (recent.size() > Head.RECENT_REQUESTS) {
      recent.remove(0);
    }
    return recent;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
