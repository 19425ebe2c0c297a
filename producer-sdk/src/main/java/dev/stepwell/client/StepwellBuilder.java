package dev.stepwell.client;

import static java.util.Objects.requireNonNull;

import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.codec.MessageCodec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of a connection to be made; owned by one thread. */
public final class StepwellBuilder {
  private final String bootstrap;
  private Topics topics = Topics.DEFAULT;
  private @Nullable String replyTopic;
  private String clientId = "stepwell-client";
  private Duration connectTimeout = Duration.ofSeconds(10);
  private Duration submitTimeout = Duration.ofSeconds(30);
  private Duration answerTimeout = Duration.ofMinutes(5);
  private int maxInFlight = 1024;
  private int maxRequestBytes = MessageCodec.DEFAULT_MAX_MESSAGE_BYTES;
  private final Map<String, String> kafka = new LinkedHashMap<>();

  StepwellBuilder(String bootstrap) {
    this.bootstrap = bootstrap;
  }

  /** What the topics' names begin with; {@code stepwell} by default. */
  public StepwellBuilder topicPrefix(String prefix) {
    topics = new Topics(requireNonNull(prefix, "prefix"));
    return this;
  }

  /**
   * A topic for this client's results, which the workers must be configured to allow; by default
   * results come in the common result topic.
   */
  public StepwellBuilder replyTopic(String topic) {
    replyTopic = requireNonNull(topic, "topic");
    return this;
  }

  /** What this client calls itself to Kafka; {@code stepwell-client} by default. */
  public StepwellBuilder clientId(String id) {
    clientId = requireNonNull(id, "id");
    return this;
  }

  /** How long connecting may take, at least 1 ms; 10 seconds by default. */
  public StepwellBuilder connectTimeout(Duration timeout) {
    connectTimeout = positive("connectTimeout", timeout);
    return this;
  }

  /**
   * How long submitting may wait for a place and for a connection, and how long Kafka may take to
   * confirm a request, at least 1 ms; 30 seconds by default.
   */
  public StepwellBuilder submitTimeout(Duration timeout) {
    submitTimeout = positive("submitTimeout", timeout);
    return this;
  }

  /** How long an answer is awaited where nothing else is said, at least 1 ms; 5 minutes. */
  public StepwellBuilder answerTimeout(Duration timeout) {
    answerTimeout = positive("answerTimeout", timeout);
    return this;
  }

  /** How many requests may be without an answer at once, at least 1; 1024 by default. */
  public StepwellBuilder maxInFlight(int requests) {
    maxInFlight = positive("maxInFlight", requests);
    return this;
  }

  /**
   * How many bytes a request's message may have, at least 1; 8 MiB by default, which is what
   * workers accept by default.
   */
  public StepwellBuilder maxRequestBytes(int bytes) {
    maxRequestBytes = positive("maxRequestBytes", bytes);
    return this;
  }

  /**
   * A setting for Kafka's own clients, such as those of {@code security.} and {@code ssl.}.
   *
   * @throws IllegalArgumentException if it is one that this client's guarantees rest on
   */
  public StepwellBuilder kafkaProperty(String name, String value) {
    if (KafkaSettings.FIXED.contains(name)) {
      throw new IllegalArgumentException("the Kafka setting " + name + " can't be changed");
    }
    kafka.put(name, requireNonNull(value, "value"));
    return this;
  }

  /**
   * Connects. Blocks until results can be read, at most as long as the connect timeout says.
   *
   * @throws BrokerUnreachableException if there is no connection in time
   * @throws TopicMissingException if Stepwell's topics are not there
   */
  public Stepwell connect() {
    ClientOptions options = options();
    return new Stepwell(options, KafkaTransport.create(options)).open();
  }

  ClientOptions options() {
    return new ClientOptions(
        bootstrap,
        topics,
        replyTopic,
        clientId,
        connectTimeout,
        submitTimeout,
        answerTimeout,
        maxInFlight,
        maxRequestBytes,
        Map.copyOf(kafka));
  }

  private static Duration positive(String name, Duration value) {
    if (value.toMillis() < 1) {
      throw new IllegalArgumentException(name + " is " + value + ", must be at least 1 ms");
    }
    return value;
  }

  private static int positive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " is " + value + ", must be at least 1");
    }
    return value;
  }
}
