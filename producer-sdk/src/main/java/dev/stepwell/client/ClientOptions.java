package dev.stepwell.client;

import dev.stepwell.protocol.Topics;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a client works; immutable. {@link StepwellBuilder} describes each of them.
 *
 * @param bootstrap where Kafka is
 * @param topics the topics' names
 * @param replyTopic the topic of its own that results are asked for in, or null
 * @param clientId what the client calls itself to Kafka
 * @param connectTimeout how long connecting may take
 * @param submitTimeout how long submitting may block
 * @param answerTimeout how long awaiting an answer may take where the caller says nothing
 * @param maxInFlight how many requests may be without an answer
 * @param maxRequestBytes how large a request's message may be
 * @param kafka settings for Kafka's own clients
 */
record ClientOptions(
    String bootstrap,
    Topics topics,
    @Nullable String replyTopic,
    String clientId,
    Duration connectTimeout,
    Duration submitTimeout,
    Duration answerTimeout,
    int maxInFlight,
    int maxRequestBytes,
    Map<String, String> kafka) {
  /** The topic that results are read from. */
  String resultTopic() {
    return replyTopic == null ? topics.results() : replyTopic;
  }
}
