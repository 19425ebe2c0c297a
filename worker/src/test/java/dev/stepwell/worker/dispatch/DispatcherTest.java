package dev.stepwell.worker.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.worker.commit.Answer;
import dev.stepwell.worker.commit.Lease;
import dev.stepwell.worker.commit.OpenedPartition;
import dev.stepwell.worker.execution.Arrival;
import dev.stepwell.worker.execution.Assignment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DispatcherTest {
  private static final int SLOTS = 2;
  private static final int WINDOW = 50;

  private final ExecutorService slots = Executors.newFixedThreadPool(SLOTS);
  private final BlockingQueue<FakeLane> lanes = new LinkedBlockingQueue<>();
  private final RecordingFlow flow = new RecordingFlow();
  private final IntakeBudget budget = new IntakeBudget(10_000, Long.MAX_VALUE);
  private GatedExecutor executor = new GatedExecutor(false);
  private Dispatcher dispatcher = dispatcher();

  private Dispatcher dispatcher() {
    DispatchSettings settings =
        new DispatchSettings(
            SLOTS,
            new DispatchSettings.PartitionLimits(10_000, Long.MAX_VALUE, WINDOW),
            fault -> {
              throw fault;
            });
    Dispatcher made =
        new Dispatcher(
            settings,
            (lease, group, listener) -> {
              FakeLane lane = new FakeLane(lease, listener);
              lanes.add(lane);
              return lane;
            },
            (assignment, step) -> executor.execute(assignment, step),
            slots,
            budget);
    made.start(flow);
    return made;
  }

  @AfterEach
  void stop() {
    dispatcher.stop();
    slots.shutdownNow();
  }

  @Test
  void requestsOfOneKey_runOneAtATimeEachAfterTheCommitOfTheLast() throws Exception {
    FakeLane lane = openPartition();
    send(lane, 0, "a", "a");

    assertThat(started()).isEqualTo(0);
    executor.finish(0);
    // The answer is there but not committed, so the next must wait. The other key's step, which
    // comes to run after it, shows that the dispatcher had its chance to err.
    send(lane, 2, "b");
    assertThat(started()).isEqualTo(2);
    lane.commit(1);

    assertThat(started()).isEqualTo(1);
  }

  @Test
  void keysOfOnePartition_dontWaitForEachOther() throws Exception {
    FakeLane lane = openPartition();
    send(lane, 0, "slow", "quick", "quick");

    assertThat(List.of(started(), started())).containsExactlyInAnyOrder(0L, 1L);
    executor.finish(1);
    lane.commit(1);

    assertThat(started()).isEqualTo(2);
  }

  @Test
  void slots_boundHowManyRunAtOnce() throws Exception {
    FakeLane lane = openPartition();
    send(lane, 0, "a", "b", "c");
    started();
    started();

    assertThat(executor.started).isEmpty();
    executor.finish(0);

    assertThat(started()).isEqualTo(2);
  }

  @Test
  void redelivered_requestsThatWereFinishedAreSkipped() throws Exception {
    FakeLane lane = assign();
    lane.open(new OpenedPartition(0, Map.of(), Set.of(0L), -1), Long.MAX_VALUE);

    send(lane, 0, "a", "a");

    assertThat(started()).isEqualTo(1);
    assertThat(executor.started).isEmpty();
  }

  @Test
  void suspects_startOnceTheirStartIsOnRecordAndKnowTheirAttempt() throws Exception {
    FakeLane lane = assign();
    lane.open(new OpenedPartition(0, Map.of(), Set.of(), 0), Long.MAX_VALUE);
    send(lane, 0, "suspect", "fresh");

    Assignment fresh = executor.started.take();
    assertThat(fresh.arrival().offset()).isEqualTo(1);
    assertThat(fresh.attempt()).isEqualTo(1);
    assertThat(lane.startsAsked.take()).isEqualTo(0);
    assertThat(executor.started).isEmpty();
    lane.startRecorded(0, 2);

    Assignment suspect = executor.started.take();
    assertThat(suspect.arrival().offset()).isEqualTo(0);
    assertThat(suspect.attempt()).isEqualTo(2);
  }

  @Test
  void requestsPastTheMark_waitUntilItIsRaised() throws Exception {
    FakeLane lane = assign();
    lane.open(new OpenedPartition(0, Map.of(), Set.of(), -1), 0);
    send(lane, 0, "a", "b");
    assertThat(started()).isEqualTo(0);

    lane.raises.take();
    assertThat(executor.started).isEmpty();
    lane.startable(1000);

    assertThat(started()).isEqualTo(1);
  }

  @Test
  void revokedPartition_endsItsStepsAndGivesBackWhatItHeld() throws Exception {
    FakeLane lane = openPartition();
    send(lane, 0, "a", "a", "b");
    started();
    started();

    assertThat(dispatcher.revoke(lane.lease).get()).isSameAs(lane);

    FakeLane other = openPartition();
    send(other, 0, "c");
    // Both slots were taken by the lost partition's steps; this one can run because they ended.
    assertThat(started()).isEqualTo(0);
    assertThat(budget.requests()).isEqualTo(1);
    assertThat(lane.submitted).isEmpty();
  }

  @Test
  void recordsOfAnOldLease_areLetGo() throws Exception {
    FakeLane lane = openPartition();
    dispatcher.revoke(lane.lease).get();

    send(lane, 0, "a");

    dispatcher.revoke(lane.lease).get();
    assertThat(budget.requests()).isZero();
    assertThat(executor.started).isEmpty();
  }

  @Test
  void fullWindow_holdsThePartitionUntilHalfIsDone() throws Exception {
    executor = new GatedExecutor(true);
    FakeLane lane = openPartition();
    String[] keys = new String[WINDOW + 1];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = "key-" + i;
    }
    send(lane, 0, keys);

    assertThat(flow.next()).isEqualTo("hold");
    lane.commit(keys.length);
    assertThat(flow.next()).isEqualTo("release");
  }

  @Test
  void drain_startsNothingMoreAndCompletesOnceWhatRanIsCommitted() throws Exception {
    FakeLane lane = openPartition();
    send(lane, 0, "a", "a");
    started();

    CompletableFuture<Void> drained = dispatcher.drain();
    executor.finish(0);
    assertThat(drained).isNotDone();
    lane.commit(1);

    drained.get(30, TimeUnit.SECONDS);
    assertThat(executor.started).isEmpty();
  }

  /**
   * Many keys, commits in batches of any size: every request is answered once, in its key's order.
   */
  @Test
  void everyRequest_isAnsweredOnceInTheOrderOfItsKey() throws Exception {
    executor = new GatedExecutor(true);
    Random random = new Random(11);
    FakeLane lane = openPartition();
    int count = 40;
    String[] keys = new String[count];
    for (int i = 0; i < count; i++) {
      keys[i] = "key-" + random.nextInt(5);
    }
    send(lane, 0, keys);

    List<Long> committed = new ArrayList<>();
    while (committed.size() < count) {
      for (Answer answer : lane.commit(1)) {
        committed.add(answer.offset());
      }
    }

    Map<String, Long> last = new HashMap<>();
    for (long offset : committed) {
      Long before = last.put(keys[(int) offset], offset);
      assertThat(before == null || before < offset).isTrue();
    }
    assertThat(committed).doesNotHaveDuplicates();
  }

  private FakeLane openPartition() throws InterruptedException {
    FakeLane lane = assign();
    lane.open();
    return lane;
  }

  // Only consumers make group metadata; a fake lane needs none that means anything.
  @SuppressWarnings("removal")
  private FakeLane assign() throws InterruptedException {
    dispatcher.assign(0, new ConsumerGroupMetadata("group", 1, "member", Optional.empty()));
    return lanes.take();
  }

  private void send(FakeLane lane, long from, String... keys) {
    List<Arrival> arrivals = new ArrayList<>();
    for (int i = 0; i < keys.length; i++) {
      arrivals.add(arrival(lane.lease, from + i, keys[i]));
    }
    assertThat(budget.tryReserve(keys.length)).isTrue();
    dispatcher.dispatch(lane.lease, arrivals);
  }

  private static Arrival arrival(Lease lease, long offset, String key) {
    return new Arrival(
        lease, offset, 0, key.getBytes(StandardCharsets.UTF_8), new byte[0], Map.of());
  }

  private long started() throws InterruptedException {
    return executor.started.take().arrival().offset();
  }

  /** Remembers what the dispatcher says to intake. Thread-safe. */
  private static final class RecordingFlow implements PartitionFlow {
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    String next() throws InterruptedException {
      return said.take();
    }

    @Override
    public void open(Lease lease, long position) {}

    @Override
    public void hold(Lease lease) {
      said.add("hold");
    }

    @Override
    public void release(Lease lease) {
      said.add("release");
    }

    @Override
    public void roomMade() {}

    @Override
    public void ended(Lease lease, boolean fenced) {}
  }
}
