package dev.stepwell.worker.intake;

import dev.stepwell.worker.commit.Lease;
import dev.stepwell.worker.dispatch.Dispatcher;
import dev.stepwell.worker.dispatch.IntakeBudget;
import dev.stepwell.worker.dispatch.PartitionFlow;
import dev.stepwell.worker.execution.Arrival;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The group member that reads requests. The thread {@code intake} owns the consumer and what is
 * held; other threads send it commands, which its poll is woken up for.
 */
public final class RequestIntake implements PartitionFlow {
  private static final Logger log = LoggerFactory.getLogger(RequestIntake.class);

  private static final Duration POLL = Duration.ofMillis(100);

  private static final int CHANGE_ATTEMPTS = 5;

  private static final Duration LEAVE = Duration.ofSeconds(5);

  /** A commit failed: the broker is likely in trouble, and asking at once is of no use. */
  private static final long REOPEN_AFTER_MS = 500;

  /** Fenced, yet still assigned: long enough to hear of it if the partition is another's. */
  private static final long REOPEN_FENCED_AFTER_MS = 5_000;

  private final IntakeSettings settings;
  private final Dispatcher dispatcher;
  private final IntakeBudget budget;
  private final Clock clock;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Thread thread = new Thread(this::run, "intake");
  private final CountDownLatch joined = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();

  /** Whether the last poll went without permits, so that room is worth waking up for. */
  private volatile boolean starved;

  // Owned by the intake thread.
  private final HeldPartitions held = new HeldPartitions();
  private @Nullable CompletableFuture<Void> drained;
  private long drainUntilMs;

  /** Makes the consumer; {@link #start} makes it read. */
  public RequestIntake(
      IntakeSettings settings, Dispatcher dispatcher, IntakeBudget budget, Clock clock) {
    this.settings = settings;
    this.dispatcher = dispatcher;
    this.budget = budget;
    this.clock = clock;
    this.consumer = new KafkaConsumer<>(settings.kafka().intake(settings.maxPollRecords()));
  }

  /** Starts the thread. */
  public void start() {
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Waits until this worker has partitions and all of them are open.
   *
   * @return whether that was so within the time
   */
  public boolean awaitFlowing(Duration timeout) throws InterruptedException {
    return joined.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Reads nothing more, lets what runs finish, gives the partitions back and leaves the group.
   * Blocks until that is done.
   *
   * @param grace how long running steps may take to finish; what still runs then is given back
   */
  public void close(Duration grace) throws InterruptedException {
    command(
        () -> {
          drained = dispatcher.drain();
          drainUntilMs = clock.millis() + grace.toMillis();
        });
    long timeoutMs = grace.toMillis() + HandOver.TIMEOUT_MS + LEAVE.toMillis();
    if (!ended.await(timeoutMs, TimeUnit.MILLISECONDS)) {
      log.warn("intake did not end within {} ms", timeoutMs);
      thread.interrupt();
    }
  }

  @Override
  public void open(Lease lease, long position) {
    command(() -> onWhatIsAssigned(() -> openNow(lease, position)));
  }

  private void openNow(Lease lease, long position) {
    HeldPartition partition = held.under(lease);
    TopicPartition source = topicPartition(lease.partition());
    if (partition != null && consumer.assignment().contains(source)) {
      consumer.seek(source, position);
      partition.move(HeldPartition.Stage.OPENING, HeldPartition.Stage.FLOWING);
      log.info("partition {} is open at offset {}", lease, position);
      noticeFlowing();
    }
  }

  @Override
  public void hold(Lease lease) {
    move(lease, HeldPartition.Stage.FLOWING, HeldPartition.Stage.HELD);
  }

  @Override
  public void release(Lease lease) {
    move(lease, HeldPartition.Stage.HELD, HeldPartition.Stage.FLOWING);
  }

  @Override
  public void roomMade() {
    if (starved) {
      starved = false;
      consumer.wakeup();
    }
  }

  @Override
  public void ended(Lease lease, boolean fenced) {
    command(
        () -> {
          HeldPartition partition = held.under(lease);
          if (partition != null) {
            partition.end(clock.millis() + (fenced ? REOPEN_FENCED_AFTER_MS : REOPEN_AFTER_MS));
          }
        });
  }

  private void move(Lease lease, HeldPartition.Stage from, HeldPartition.Stage to) {
    command(
        () -> {
          HeldPartition partition = held.under(lease);
          if (partition != null) {
            partition.move(from, to);
          }
        });
  }

  private void command(Runnable command) {
    commands.add(command);
    consumer.wakeup();
  }

  private void noticeFlowing() {
    if (held.allFlowing()) {
      joined.countDown();
    }
  }

  private void run() {
    try {
      consumer.subscribe(List.of(settings.topics().requests()), new Rebalance());
      while (!finished()) {
        runCommands();
        held.reopenDue(
            clock.millis(), number -> dispatcher.assign(number, consumer.groupMetadata()));
        pollOnce();
      }
      consumer.close(CloseOptions.timeout(LEAVE));
    } catch (RuntimeException e) {
      log.error("intake failed; this worker takes no more work until it is restarted", e);
      settings.onFailure().accept(e);
    } finally {
      ended.countDown();
    }
  }

  private boolean finished() {
    return drained != null && (drained.isDone() || clock.millis() >= drainUntilMs);
  }

  private void runCommands() {
    for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
      command.run();
    }
  }

  private void pollOnce() {
    int reserved = reserve();
    pauseAllBut(reserved > 0 ? held.flowing() : Set.of());
    Map<Lease, List<Arrival>> batches = poll();
    int received = 0;
    long receivedBytes = 0;
    for (List<Arrival> batch : batches.values()) {
      received += batch.size();
      receivedBytes += batch.stream().mapToLong(Arrival::bytes).sum();
    }
    budget.settle(reserved, received, receivedBytes);
    batches.forEach(dispatcher::dispatch);
  }

  private Map<Lease, List<Arrival>> poll() {
    Map<Lease, List<Arrival>> batches = new HashMap<>();
    try {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      for (TopicPartition partition : records.partitions()) {
        Lease lease = held.flowing(partition.partition());
        if (lease != null) {
          batches.put(lease, arrivals(lease, records.records(partition)));
        }
      }
    } catch (WakeupException e) {
      log.trace("woken up for a command", e);
    } catch (RetriableException e) {
      log.warn("reading requests failed, trying again", e);
    }
    return batches;
  }

  private int reserve() {
    if (drained == null && budget.tryReserve(settings.maxPollRecords())) {
      return settings.maxPollRecords();
    }
    starved = true;
    return 0;
  }

  private void pauseAllBut(Set<Integer> flowing) {
    onWhatIsAssigned(
        () -> {
          Set<TopicPartition> wanted =
              flowing.stream().map(this::topicPartition).collect(Collectors.toSet());
          Set<TopicPartition> paused = consumer.paused();
          Set<TopicPartition> toPause = new HashSet<>(consumer.assignment());
          toPause.removeAll(wanted);
          toPause.removeAll(paused);
          consumer.pause(toPause);
          wanted.retainAll(paused);
          consumer.resume(wanted);
        });
  }

  /**
   * Does something to partitions that the consumer's own thread may find lost at any moment, which
   * makes the consumer refuse it for all of them. It is done again on those that are left; what has
   * become of the others is told by the next poll.
   */
  private void onWhatIsAssigned(Runnable change) {
    for (int attempt = 1; attempt < CHANGE_ATTEMPTS; attempt++) {
      try {
        change.run();
        return;
      } catch (IllegalStateException e) {
        log.debug("partitions were lost meanwhile", e);
      }
    }
    change.run();
  }

  private static List<Arrival> arrivals(Lease lease, List<ConsumerRecord<byte[], byte[]>> records) {
    List<Arrival> arrivals = new ArrayList<>(records.size());
    for (ConsumerRecord<byte[], byte[]> record : records) {
      arrivals.add(
          new Arrival(
              lease,
              record.offset(),
              record.timestamp(),
              record.key(),
              record.value(),
              headers(record)));
    }
    return arrivals;
  }

  private static Map<String, byte[]> headers(ConsumerRecord<byte[], byte[]> record) {
    Map<String, byte[]> headers = new HashMap<>();
    for (Header header : record.headers()) {
      if (header.value() != null) {
        headers.put(header.key(), header.value());
      }
    }
    return headers;
  }

  private TopicPartition topicPartition(int partition) {
    return new TopicPartition(settings.topics().requests(), partition);
  }

  /** Called by the consumer within poll and close, so on the intake thread. */
  private final class Rebalance implements ConsumerRebalanceListener {
    private final HandOver handOver = new HandOver(dispatcher, clock);

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      ConsumerGroupMetadata group = consumer.groupMetadata();
      for (TopicPartition partition : partitions) {
        held.add(dispatcher.assign(partition.partition(), group));
      }
      pauseAllBut(held.flowing());
      log.info("assigned {}", partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      handOver.giveUp(leases(partitions), true);
      log.info("gave back {}", partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      handOver.giveUp(leases(partitions), false);
      log.warn("lost {}: the group took this worker for dead", partitions);
    }

    private List<Lease> leases(Collection<TopicPartition> partitions) {
      return partitions.stream()
          .map(partition -> held.remove(partition.partition()))
          .filter(Objects::nonNull)
          .toList();
    }
  }
}
