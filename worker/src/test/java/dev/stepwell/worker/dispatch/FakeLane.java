package dev.stepwell.worker.dispatch;

import dev.stepwell.worker.commit.Answer;
import dev.stepwell.worker.commit.CommitLane;
import dev.stepwell.worker.commit.CommitListener;
import dev.stepwell.worker.commit.Lease;
import dev.stepwell.worker.commit.OpenedPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A lane that commits when the test says so. Thread-safe. */
final class FakeLane implements CommitLane {
  final Lease lease;
  final BlockingQueue<Answer> submitted = new LinkedBlockingQueue<>();
  final BlockingQueue<Long> startsAsked = new LinkedBlockingQueue<>();
  final BlockingQueue<Boolean> raises = new LinkedBlockingQueue<>();
  private final CommitListener listener;

  FakeLane(Lease lease, CommitListener listener) {
    this.lease = lease;
    this.listener = listener;
  }

  /** Opens the partition as if nobody had worked on it. */
  void open() {
    open(new OpenedPartition(0, Map.of(), Set.of(), -1), Long.MAX_VALUE);
  }

  void open(OpenedPartition opened, long startableUpTo) {
    listener.opened(lease, opened);
    listener.startable(lease, startableUpTo);
  }

  void startable(long upTo) {
    listener.startable(lease, upTo);
  }

  void startRecorded(long offset, int attempt) {
    listener.startRecorded(lease, offset, attempt);
  }

  /** Waits for this many answers and commits them. */
  List<Answer> commit(int count) throws InterruptedException {
    List<Answer> batch = new ArrayList<>();
    while (batch.size() < count) {
      batch.add(submitted.take());
    }
    long position = batch.stream().mapToLong(Answer::offset).max().orElseThrow() + 1;
    listener.committed(lease, batch, position);
    return batch;
  }

  @Override
  public void received(List<Long> offsets) {}

  @Override
  public void submit(Answer answer) {
    submitted.add(answer);
  }

  @Override
  public void recordStart(long offset) {
    startsAsked.add(offset);
  }

  @Override
  public void raiseStartable() {
    raises.add(true);
  }

  @Override
  public boolean close(boolean orderly, long timeoutMs) {
    return true;
  }
}
