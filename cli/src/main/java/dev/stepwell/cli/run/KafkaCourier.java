package dev.stepwell.cli.run;

import dev.stepwell.cli.process.CommandException;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.codec.MessageCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Carries a run's requests and results over Kafka; thread-safe.
 *
 * <p>One thread reads results and completes what they answer, one watches the broker, one completes
 * what was answered before this process began. All are daemons, and end at {@link #close}.
 */
public final class KafkaCourier implements Courier {
  /** How long the last confirmations may take at the end, where a broker answers. */
  private static final Duration LAST_SENDS = Duration.ofSeconds(2);

  private final MessageCodec codec = new MessageCodec();
  private final Topics topics;
  private final @Nullable Checkpoint from;
  private final Producer<String, byte[]> producer;
  private final Room room;
  private final Mailbox mailbox;
  private final Floors requestFloors;
  private final Floors resultFloors;
  private final ExecutorService answers;
  private final BrokerWatch watch;
  private final ResultReader reader;
  private final int partitions;
  private final AtomicBoolean closed = new AtomicBoolean();

  private KafkaCourier(
      CourierConnection connection,
      Topics topics,
      RunId run,
      @Nullable Checkpoint from,
      Room room,
      Producer<String, byte[]> producer,
      IdSet published,
      Consumer<String> notices) {
    this.topics = topics;
    this.from = from;
    this.room = room;
    this.producer = producer;
    Checkpoint begin = from == null ? connection.ends() : from;
    partitions = begin.requests().size();
    requestFloors = new Floors(begin.requests());
    resultFloors = new Floors(begin.results());
    answers = Executors.newSingleThreadExecutor(KafkaCourier::daemon);
    mailbox = new Mailbox(room, answers, published);
    watch =
        BrokerWatch.start(
            connection.admin(), connection.bootstrap(), () -> room.count() > 0, notices);
    reader =
        ResultReader.start(
            connection.results(),
            topics.results(),
            begin.results(),
            run.text() + ".",
            mailbox,
            resultFloors,
            watch::moved);
  }

  /**
   * Connects. Where a run goes on, reads first what it has published so far, which takes as long as
   * the request topic behind the checkpoint is.
   *
   * @param bootstrap where Kafka is
   * @param kafka settings for Kafka's own clients, such as security
   * @param from where the run that goes on has to begin to read; null for a new run
   * @param maxInFlight how many requests may be without an answer, at least 1
   * @param maxBytesInFlight how many bytes these may have, at least 1; a larger one goes alone
   * @param finished which request ids the run's folder has an outcome of; of a copy it is asked
   *     with {@code ID COPY}
   * @param notices takes what a person should know, a sentence each, on a thread of the courier's
   * @throws CommandException if no Kafka answers, or a topic is missing
   */
  public static KafkaCourier open(
      String bootstrap,
      Map<String, String> kafka,
      Topics topics,
      RunId run,
      @Nullable Checkpoint from,
      int maxInFlight,
      long maxBytesInFlight,
      Predicate<String> finished,
      Consumer<String> notices) {
    Room room = new Room(maxInFlight, maxBytesInFlight);
    CourierSettings settings = new CourierSettings(bootstrap, kafka);
    CourierConnection connection = CourierConnection.open(settings, topics);
    try {
      IdSet published =
          from == null ? new IdSet() : connection.published(from, run.text() + ".", finished);
      Producer<String, byte[]> producer =
          new KafkaProducer<>(
              settings.producer(maxInFlight, maxBytesInFlight),
              new StringSerializer(),
              new ByteArraySerializer());
      return new KafkaCourier(connection, topics, run, from, room, producer, published, notices);
    } catch (KafkaException e) {
      connection.close();
      throw CourierConnection.failed(bootstrap, e);
    } catch (RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public CompletableFuture<Answer> send(Request request) throws InterruptedException {
    String id = request.requestId();
    int partition = partition(request);
    boolean earlier = mailbox.wasPublished(id);
    byte[] message = earlier ? new byte[0] : codec.encode(request);
    if (room.count() == 0) {
      watch.moved();
    }
    room.enter(message.length);
    Sent sent =
        new Sent(
            id,
            partition,
            hold(requestFloors, partition, earlier && from != null ? from.requests() : null),
            hold(resultFloors, partition, earlier && from != null ? from.results() : null),
            message.length,
            earlier ? 0 : System.currentTimeMillis(),
            new CompletableFuture<>(),
            new AtomicBoolean());
    try {
      mailbox.expect(sent);
    } catch (CourierException | IllegalStateException e) {
      release(sent);
      throw e;
    }
    if (!earlier) {
      publish(sent, request.key(), message);
    }
    return sent.answer();
  }

  private static long hold(Floors floors, int partition, @Nullable List<Long> at) {
    return at == null ? floors.hold(partition) : floors.hold(partition, at.get(partition));
  }

  private void publish(Sent sent, String key, byte[] message) throws InterruptedException {
    ProducerRecord<String, byte[]> record =
        new ProducerRecord<>(
            topics.requests(), sent.partition(), sent.publishedAtMs(), key, message);
    try {
      transmit(record, failure -> mailbox.fail(sent, explained(sent.id(), failure)));
    } catch (InterruptedException e) {
      mailbox.withdraw(sent);
      release(sent);
      throw e;
    }
  }

  @Override
  public void sendAgain(Request request, int copy) throws InterruptedException {
    if (mailbox.takePublished(EarlierRequests.copyName(request.requestId(), copy))) {
      return;
    }
    ProducerRecord<String, byte[]> record =
        new ProducerRecord<>(
            topics.requests(),
            partition(request),
            System.currentTimeMillis(),
            request.key(),
            codec.encode(request));
    record
        .headers()
        .add(
            EarlierRequests.COPY_HEADER,
            Integer.toString(copy).getBytes(StandardCharsets.US_ASCII));
    // Of a copy that Kafka refuses nothing is missed: nobody waits for it.
    transmit(record, failure -> {});
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The callback is told what the future would be.
  private void transmit(ProducerRecord<String, byte[]> record, Consumer<Exception> onFailure)
      throws InterruptedException {
    try {
      producer.send(
          record,
          (metadata, failure) -> {
            watch.moved();
            if (failure == null) {
              requestFloors.reach(metadata.partition(), metadata.offset() + 1);
            } else {
              onFailure.accept(failure);
            }
          });
    } catch (InterruptException e) {
      // Kafka's exception has set the flag as well.
      Thread.interrupted();
      throw (InterruptedException) new InterruptedException(e.getMessage()).initCause(e);
    } catch (KafkaException | IllegalStateException e) {
      runOrDrop(() -> onFailure.accept(e));
    }
  }

  private void runOrDrop(Runnable task) {
    try {
      answers.execute(task);
    } catch (RejectedExecutionException e) {
      // Closed meanwhile: what is left was failed then.
      return;
    }
  }

  private CourierException explained(String requestId, Exception failure) {
    if (closed.get()) {
      return new CourierException(CourierException.Kind.CLOSED, "the courier is closed", failure);
    }
    return failure instanceof RecordTooLargeException
        ? new CourierException(
            CourierException.Kind.TOO_LARGE,
            "request " + requestId + " is larger than Kafka takes: " + failure.getMessage(),
            failure)
        : new CourierException(
            CourierException.Kind.REFUSED,
            "Kafka refuses request " + requestId + ": " + failure.getMessage(),
            failure);
  }

  @Override
  public boolean sentBefore(String name) {
    return mailbox.wasPublished(name);
  }

  @Override
  public void finish(String requestId) {
    Sent sent = mailbox.finish(requestId);
    if (sent != null) {
      release(sent);
    }
  }

  private void release(Sent sent) {
    requestFloors.release(sent.partition(), sent.requestFloor());
    resultFloors.release(sent.partition(), sent.resultFloor());
  }

  @Override
  public Checkpoint checkpoint() {
    // Of what nobody has asked for it isn't known where it lies.
    return from != null && mailbox.awaitsAskers()
        ? from
        : new Checkpoint(requestFloors.lowest(), resultFloors.lowest());
  }

  private int partition(Request request) {
    return Utils.toPositive(Utils.murmur2(request.key().getBytes(StandardCharsets.UTF_8)))
        % partitions;
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    boolean idle = room.count() == 0;
    mailbox.failAll(
        new CourierException(CourierException.Kind.CLOSED, "the courier is closed", null));
    answers.shutdown();
    watch.close();
    reader.close();
    producer.close(idle ? LAST_SENDS : Duration.ZERO);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "courier brings early answers");
    thread.setDaemon(true);
    return thread;
  }
}
