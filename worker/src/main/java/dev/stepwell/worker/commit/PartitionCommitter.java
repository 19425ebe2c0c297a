package dev.stepwell.worker.commit;

import dev.stepwell.protocol.Head;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.IllegalGenerationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.StaleMemberEpochException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits one lease's work, one transaction after the other, each with everything that has finished
 * by then.
 *
 * <p>All methods may be called from any thread and never block but for {@link #close}; they pass
 * commands to the thread {@code commit-PARTITION}, which owns the producer and the ledger. The
 * queue holds at most one command for every request taken ahead, which intake bounds.
 */
final class PartitionCommitter implements CommitLane {
  private static final Logger log = LoggerFactory.getLogger(PartitionCommitter.class);

  /** A transaction much larger than this takes longer than the ones that wait behind it like. */
  private static final long BATCH_BYTES = 32L << 20;

  private static final int BATCH_ANSWERS = 500;

  private static final Set<Class<? extends ApiException>> FENCED =
      Set.of(
          ProducerFencedException.class,
          InvalidProducerEpochException.class,
          FencedInstanceIdException.class,
          IllegalGenerationException.class,
          StaleMemberEpochException.class,
          UnknownMemberIdException.class);

  private sealed interface Command {
    record Received(List<Long> offsets) implements Command {}

    record Finished(Answer answer) implements Command {}

    record RecordStart(long offset) implements Command {}

    record RaiseStartable() implements Command {}

    record Close(boolean orderly) implements Command {}
  }

  private final Lease lease;
  private final PartitionRestore restore;
  private final Supplier<PartitionProducer> producers;
  private final CommitListener listener;
  private final Thread thread;
  private final BlockingQueue<Command> commands = new LinkedBlockingQueue<>();
  private final CountDownLatch done = new CountDownLatch(1);

  PartitionCommitter(
      Lease lease,
      Supplier<PartitionProducer> producers,
      PartitionRestore restore,
      CommitListener listener) {
    this.lease = lease;
    this.producers = producers;
    this.restore = restore;
    this.listener = listener;
    this.thread = new Thread(this::run, "commit-" + lease.partition());
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  @Override
  public void received(List<Long> offsets) {
    commands.add(new Command.Received(List.copyOf(offsets)));
  }

  @Override
  public void submit(Answer answer) {
    commands.add(new Command.Finished(answer));
    if (done.getCount() == 0) {
      giveUpTheRest();
    }
  }

  @Override
  public void recordStart(long offset) {
    commands.add(new Command.RecordStart(offset));
  }

  @Override
  public void raiseStartable() {
    commands.add(new Command.RaiseStartable());
  }

  @Override
  public boolean close(boolean orderly, long timeoutMs) throws InterruptedException {
    commands.add(new Command.Close(orderly));
    if (done.await(timeoutMs, TimeUnit.MILLISECONDS)) {
      return true;
    }
    thread.interrupt();
    return false;
  }

  private void run() {
    try (PartitionProducer producer = producers.get()) {
      OffsetLedger ledger = open(producer);
      boolean open = true;
      while (open) {
        open = commitNext(producer, ledger);
      }
    } catch (InterruptedException | InterruptException e) {
      Thread.currentThread().interrupt();
      log.warn("partition {}: interrupted, its uncommitted work is given up", lease);
    } catch (KafkaException | IllegalArgumentException | IllegalStateException e) {
      end(e);
    } finally {
      done.countDown();
      giveUpTheRest();
    }
  }

  /** What comes too late is committed by whoever has the partition next. */
  private void giveUpTheRest() {
    Command command = commands.poll();
    while (command != null) {
      if (command instanceof Command.Finished finished) {
        finished.answer().close();
      }
      command = commands.poll();
    }
  }

  private void end(RuntimeException cause) {
    boolean fenced = isFenced(cause);
    if (fenced) {
      log.info("partition {}: another worker has it ({})", lease, cause.toString());
    } else {
      log.warn("partition {}: a commit failed, what it carried counts as not done", lease, cause);
    }
    listener.ended(lease, fenced, cause.toString());
  }

  private static boolean isFenced(Throwable cause) {
    for (Throwable t = cause; t != null; t = t.getCause()) {
      if (FENCED.contains(t.getClass()) || t instanceof CommitFailedException) {
        return true;
      }
    }
    return false;
  }

  private OffsetLedger open(PartitionProducer producer) throws InterruptedException {
    producer.fenceEarlierOwner();
    Map<String, Head> heads = restore.heads(lease.partition());
    PartitionRestore.Committed committed = restore.committed(lease.partition());
    OffsetLedger ledger = new OffsetLedger(committed.position(), committed.metadata());
    OpenedPartition opened =
        new OpenedPartition(
            committed.position(),
            heads,
            ledger.finishedAbove(),
            committed.metadata().startableUpTo());
    long upTo = ledger.raiseStartable();
    producer.commit(List.of(), ledger.position(), ledger.metadata());
    listener.opened(lease, opened);
    listener.startable(lease, upTo);
    return ledger;
  }

  /** Waits for work and commits it; false when that was the last of it. */
  private boolean commitNext(PartitionProducer producer, OffsetLedger ledger)
      throws InterruptedException {
    Batch batch = new Batch();
    Command command = commands.take();
    while (command != null) {
      batch.add(command, ledger);
      command = batch.full() ? null : commands.poll();
    }
    if (batch.close != null) {
      if (batch.close.orderly()) {
        ledger.nothingRuns();
        write(producer, batch, ledger);
      }
      return false;
    }
    if (batch.worthATransaction()) {
      long upTo = ledger.raiseStartable();
      write(producer, batch, ledger);
      listener.startable(lease, upTo);
    }
    return true;
  }

  private void write(PartitionProducer producer, Batch batch, OffsetLedger ledger)
      throws InterruptedException {
    long position = ledger.position();
    List<Answer> committed;
    try {
      committed = producer.commit(batch.answers, position, ledger.metadata());
    } finally {
      batch.answers.forEach(Answer::close);
    }
    batch.starts.forEach((offset, starts) -> listener.startRecorded(lease, offset, starts + 1));
    listener.committed(lease, committed, position);
  }

  /** What goes into the next transaction. */
  private static final class Batch {
    private final List<Answer> answers = new ArrayList<>();
    private final Map<Long, Integer> starts = new TreeMap<>();
    private boolean raise;
    private long bytes;
    private Command.@Nullable Close close;

    void add(Command command, OffsetLedger ledger) {
      if (command instanceof Command.Received received) {
        for (long offset : received.offsets()) {
          ledger.received(offset);
        }
      } else if (command instanceof Command.Finished finished) {
        Answer answer = finished.answer();
        ledger.finished(answer.offset());
        answers.add(answer);
        bytes += answer.payloadBytes();
      } else if (command instanceof Command.RecordStart start) {
        starts.put(start.offset(), ledger.recordStart(start.offset()));
      } else if (command instanceof Command.RaiseStartable) {
        raise = true;
      } else if (command instanceof Command.Close last) {
        close = last;
      }
    }

    boolean full() {
      return close != null || answers.size() >= BATCH_ANSWERS || bytes >= BATCH_BYTES;
    }

    boolean worthATransaction() {
      return raise || !answers.isEmpty() || !starts.isEmpty();
    }
  }
}
