package dev.stepwell.worker.execution;

import dev.stepwell.protocol.DeadLetter;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.SnapshotReference;
import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.worker.commit.Answer;
import dev.stepwell.worker.commit.NewSnapshot;
import dev.stepwell.worker.commit.Outgoing;
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

  /** Escaping can make of one byte six, so the bound on output alone doesn't bound the message. */
  private byte[] encode(ResultDraft draft) {
    byte[] encoded = codec.encode(draft.build());
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
      @Nullable NewSnapshot snapshot) {
    Head before = assignment.head();
    List<String> recent = new ArrayList<>(before == null ? List.of() : before.recentRequests());
    recent.add(Fingerprint.of(result.requestId()));
    if (recent.size() > Head.RECENT_REQUESTS) {
      recent.remove(0);
    }
    long stepBefore = before == null ? 0 : before.step();
    SnapshotReference reference = before == null ? null : before.snapshot();
    Head head =
        new Head(
            result.step() == null ? stepBefore : result.step(),
            assignment.arrival().offset(),
            recent,
            reference);
    return new Answer.SessionAdvance(sessionId, head, snapshot);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
