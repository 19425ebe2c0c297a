package dev.stepwell.worker.dispatch;

import dev.stepwell.worker.commit.Answer;
import dev.stepwell.worker.commit.CommitLane;
import dev.stepwell.worker.commit.CommitListener;
import dev.stepwell.worker.commit.LaneOpener;
import dev.stepwell.worker.commit.Lease;
import dev.stepwell.worker.commit.OpenedPartition;
import dev.stepwell.worker.execution.Arrival;
import dev.stepwell.worker.execution.Assignment;
import dev.stepwell.worker.execution.RunningStep;
import dev.stepwell.worker.execution.StepExecutor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives requests to slots, in order within a key, side by side between keys.
 *
 * <p>Its public methods may be called from any thread and don't block; each passes a command to the
 * thread {@code dispatch}, which owns all partitions, queues and heads. The queue of commands holds
 * no more than a few for every request that intake's budget lets in.
 */
public final class Dispatcher implements CommitListener {
  private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

  private final DispatchSettings settings;
  private final LaneOpener lanes;
  private final StepExecutor executor;
  private final ExecutorService slots;
  private final IntakeBudget budget;
  private final BlockingQueue<Runnable> commands = new LinkedBlockingQueue<>();
  private final AtomicLong generations = new AtomicLong();
  private final Thread thread = new Thread(this::run, "dispatch");

  // Owned by the dispatch thread.
  private final Map<Lease, PartitionWork> partitions = new HashMap<>();
  private final Deque<KeyQueue> ready = new ArrayDeque<>();
  private int freeSlots;
  private boolean stopped;
  private @Nullable CompletableFuture<Void> drained;
  private @Nullable PartitionFlow flow;

  /**
   * @param slots runs steps; has as many threads as there are slots, and stays the caller's to shut
   *     down after this dispatcher
   */
  public Dispatcher(
      DispatchSettings settings,
      LaneOpener lanes,
      StepExecutor executor,
      ExecutorService slots,
      IntakeBudget budget) {
    this.settings = settings;
    this.lanes = lanes;
    this.executor = executor;
    this.slots = slots;
    this.budget = budget;
    this.freeSlots = settings.slots();
  }

  /** Starts the thread. */
  public void start(PartitionFlow intake) {
    thread.setDaemon(true);
    thread.start();
    commands.add(() -> flow = intake);
  }

  /**
   * Takes a partition on: fences its earlier owner and reads back what that left, in the
   * background.
   *
   * @param group the group's metadata at the assignment
   */
  public Lease assign(int partition, ConsumerGroupMetadata group) {
    Lease lease = new Lease(partition, generations.incrementAndGet());
    commands.add(
        () -> partitions.put(lease, new PartitionWork(lease, lanes.open(lease, group, this))));
    return lease;
  }

  /** Takes requests over, in the order of their offsets. The budget has been charged for them. */
  public void dispatch(Lease lease, List<Arrival> arrivals) {
    commands.add(() -> receive(lease, arrivals));
  }

  /**
   * Lets a partition go: ends its steps, forgets its queues.
   *
   * @return its commit lane, which is the caller's to close; null if the lease was over before
   */
  public CompletableFuture<@Nullable CommitLane> revoke(Lease lease) {
    CompletableFuture<@Nullable CommitLane> result = new CompletableFuture<>();
    commands.add(() -> result.complete(drop(lease)));
    return result;
  }

  /** Starts no further step. The future completes when what ran has been committed. */
  public CompletableFuture<Void> drain() {
    CompletableFuture<Void> future = new CompletableFuture<>();
    commands.add(
        () -> {
          drained = future;
          completeDrain();
        });
    return future;
  }

  /** Ends the thread. Leases still held are dropped without a commit. */
  public void stop() {
    commands.add(
        () -> {
          List.copyOf(partitions.keySet()).forEach(this::drop);
          stopped = true;
        });
  }

  @Override
  public void opened(Lease lease, OpenedPartition opened) {
    commands.add(
        () -> {
          PartitionWork work = partitions.get(lease);
          if (work != null && flow != null) {
            work.opened(opened);
            flow.open(lease, opened.position());
          }
        });
  }

  @Override
  public void committed(Lease lease, List<Answer> answers, long position) {
    commands.add(() -> advance(lease, answers, position));
  }

  @Override
  public void startable(Lease lease, long upTo) {
    commands.add(
        () -> {
          PartitionWork work = partitions.get(lease);
          if (work != null) {
            ready.addAll(work.startable(upTo));
          }
        });
  }

  @Override
  public void startRecorded(Lease lease, long offset, int attempt) {
    commands.add(
        () -> {
          PartitionWork work = partitions.get(lease);
          KeyQueue queue = work == null ? null : work.startRecorded(offset, attempt);
          if (queue != null) {
            ready.add(queue);
          }
        });
  }

  @Override
  public void ended(Lease lease, boolean fenced, String reason) {
    commands.add(
        () -> {
          drop(lease);
          if (flow != null) {
            flow.ended(lease, fenced);
          }
        });
  }

  private void run() {
    try {
      while (!stopped) {
        commands.take().run();
        startReady();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      // Nothing goes on without this thread, and pretending otherwise would hide it.
      log.error("the dispatcher failed; this worker takes no more work until it is restarted", e);
      settings.onFailure().accept(e);
    }
  }

  private void receive(Lease lease, List<Arrival> arrivals) {
    PartitionWork work = partitions.get(lease);
    if (work == null) {
      arrivals.forEach(this::letGo);
      return;
    }
    work.lane().received(arrivals.stream().map(Arrival::offset).toList());
    for (Arrival arrival : arrivals) {
      KeyQueue queue = work.enqueue(arrival);
      if (queue == null) {
        letGo(arrival);
      } else if (queue.add(arrival)) {
        ready.add(queue);
      }
    }
    if (!work.held() && work.fuller(settings.partition(), 1) && flow != null) {
      work.held(true);
      flow.hold(lease);
    }
  }

  private void startReady() {
    if (drained != null) {
      return;
    }
    while (freeSlots > 0 && !ready.isEmpty()) {
      KeyQueue queue = ready.removeFirst();
      if (partitions.get(queue.partition().lease()) == queue.partition()
          && queue.partition().mayStart(queue)) {
        start(queue);
      }
    }
  }

  private void start(KeyQueue queue) {
    PartitionWork work = queue.partition();
    Arrival arrival = queue.first();
    Assignment assignment =
        new Assignment(
            arrival,
            work.head(queue.key()),
            work.oneShotAnswered(queue.key()),
            work.attempt(arrival.offset()));
    RunningStep step = new RunningStep();
    freeSlots--;
    work.started();
    queue.started(step);
    slots.execute(() -> execute(assignment, step, work.lane()));
  }

  /** Runs on a slot thread. */
  private void execute(Assignment assignment, RunningStep step, CommitLane lane) {
    step.begin();
    try {
      Answer answer = executor.execute(assignment, step);
      if (answer != null) {
        lane.submit(answer);
      }
    } finally {
      step.end();
      commands.add(() -> freeSlots++);
    }
  }

  private void advance(Lease lease, List<Answer> answers, long position) {
    PartitionWork work = partitions.get(lease);
    if (work != null) {
      work.position(position);
      for (Answer answer : answers) {
        advance(work, answer);
      }
      if (work.held() && !work.fuller(settings.partition(), 2) && flow != null) {
        work.held(false);
        flow.release(lease);
      }
    }
    completeDrain();
  }

  private void advance(PartitionWork work, Answer answer) {
    KeyQueue queue = work.committed(answer);
    if (queue == null) {
      return;
    }
    letGo(queue.first());
    if (queue.advance()) {
      ready.add(queue);
    } else {
      work.forget(queue);
    }
  }

  private void completeDrain() {
    if (drained != null && partitions.values().stream().allMatch(PartitionWork::idle)) {
      drained.complete(null);
    }
  }

  private @Nullable CommitLane drop(Lease lease) {
    PartitionWork work = partitions.remove(lease);
    if (work == null) {
      return null;
    }
    work.abandon().forEach(this::letGo);
    completeDrain();
    return work.lane();
  }

  private void letGo(Arrival arrival) {
    budget.release(1, arrival.bytes());
    if (flow != null) {
      flow.roomMade();
    }
  }
}
