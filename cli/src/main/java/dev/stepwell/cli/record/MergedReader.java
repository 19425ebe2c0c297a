package dev.stepwell.cli.record;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads partitions up to fixed offsets and gives their records in the order of their times, without
 * ever changing a partition's own order; used by one thread. What it holds is bounded for each
 * partition, however far one is ahead of the others.
 */
final class MergedReader {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long LANE_BYTES = 2 << 20;

  private static final Comparator<Lane> BY_TIME =
      Comparator.<Lane>comparingLong(lane -> lane.first().timestamp())
          .thenComparingInt(lane -> lane.partition.partition())
          .thenComparing(lane -> lane.partition.topic());

  private final Consumer<byte[], byte[]> consumer;
  private final Patience patience;
  private final Map<TopicPartition, Lane> lanes = new HashMap<>();

  /** Those that hold something, by their first record. */
  private final PriorityQueue<Lane> ready = new PriorityQueue<>(BY_TIME);

  /** How many hold nothing and have not come to their end. */
  private int waiting;

  private long taken;

  /** A partition; owned by the reader's thread. */
  private static final class Lane {
    private final TopicPartition partition;
    private final ArrayDeque<ConsumerRecord<byte[], byte[]>> records = new ArrayDeque<>();
    private long end;
    private long bytes;
    private boolean ended;
    private boolean paused;

    Lane(TopicPartition partition, long begin) {
      end = begin;
      this.partition = partition;
    }

    ConsumerRecord<byte[], byte[]> first() {
      return records.getFirst();
    }
  }

  /**
   * @param from where each partition begins
   */
  MergedReader(
      Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> from, Patience patience) {
    this.consumer = consumer;
    this.patience = patience;
    consumer.assign(from.keySet());
    from.forEach(
        (partition, offset) -> {
          consumer.seek(partition, offset);
          lanes.put(partition, new Lane(partition, offset));
        });
  }

  /** Sets where each partition ends: at least where it did before. Nothing is held any more. */
  void upTo(Map<TopicPartition, Long> ends) throws InterruptedException {
    waiting = 0;
    for (Lane lane : lanes.values()) {
      long end = Math.max(lane.end, ends.getOrDefault(lane.partition, 0L));
      if (lane.ended && end > lane.end) {
        // What lies behind the end before was read too, and dropped.
        consumer.seek(lane.partition, lane.end);
      }
      lane.end = end;
      Long position = patience.ask(() -> consumer.position(lane.partition));
      lane.ended = position == null || position >= end;
      setPaused(lane, lane.ended);
      waiting += lane.ended ? 0 : 1;
    }
  }

  private void setPaused(Lane lane, boolean paused) {
    lane.paused = paused;
    if (paused) {
      consumer.pause(List.of(lane.partition));
    } else {
      consumer.resume(List.of(lane.partition));
    }
  }

  /** How many records it has given. */
  long taken() {
    return taken;
  }

  /** The next record; null at the end, or when told to stop. */
  @Nullable ConsumerRecord<byte[], byte[]> next() throws InterruptedException {
    while (waiting > 0 && !patience.stopped()) {
      fill();
    }
    if (patience.stopped()) {
      // What is held may lie behind what was still to come.
      return null;
    }
    Lane lane = ready.poll();
    if (lane == null) {
      return null;
    }
    ConsumerRecord<byte[], byte[]> record = lane.records.removeFirst();
    lane.bytes -= bytes(record);
    if (!lane.records.isEmpty()) {
      ready.add(lane);
    } else if (!lane.ended) {
      waiting++;
    }
    if (lane.paused && !lane.ended && lane.bytes < LANE_BYTES / 2) {
      setPaused(lane, false);
    }
    taken++;
    return record;
  }

  private void fill() throws InterruptedException {
    boolean came = false;
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      came = true;
      Lane lane = lanes.get(new TopicPartition(record.topic(), record.partition()));
      if (lane != null && record.offset() < lane.end) {
        take(lane, record);
      }
    }
    lanes.values().stream()
        .filter(lane -> !lane.paused && lane.bytes > LANE_BYTES)
        .forEach(lane -> setPaused(lane, true));
    boolean ended = noteEnds();
    if (came || ended) {
      patience.heard();
    } else {
      patience.silent();
    }
  }

  private void take(Lane lane, ConsumerRecord<byte[], byte[]> record) {
    lane.records.addLast(record);
    lane.bytes += bytes(record);
    if (lane.records.size() == 1) {
      waiting--;
      ready.add(lane);
    }
  }

  /** Positions tell also where nothing came: behind the end of a transaction is no record. */
  private boolean noteEnds() throws InterruptedException {
    boolean some = false;
    for (Lane lane : lanes.values()) {
      if (!lane.ended) {
        Long position = patience.ask(() -> consumer.position(lane.partition));
        lane.ended = position == null || position >= lane.end;
        if (lane.ended) {
          setPaused(lane, true);
          waiting -= lane.records.isEmpty() ? 1 : 0;
          some = true;
        }
      }
    }
    return some;
  }

  private static long bytes(ConsumerRecord<byte[], byte[]> record) {
    return 100L
        + Math.max(0, record.serializedKeySize())
        + Math.max(0, record.serializedValueSize());
  }
}
