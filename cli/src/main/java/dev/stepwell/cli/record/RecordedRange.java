package dev.stepwell.cli.record;

import dev.stepwell.cli.process.CommandException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Finds out where ranges of topics begin and end; used by one thread. */
final class RecordedRange {
  private final Consumer<byte[], byte[]> consumer;
  private final Patience patience;

  RecordedRange(Consumer<byte[], byte[]> consumer, Patience patience) {
    this.consumer = consumer;
    this.patience = patience;
  }

  /** A topic's partitions; empty where there is no such topic. */
  List<TopicPartition> partitions(String topic) throws InterruptedException {
    List<PartitionInfo> found = patience.ask(() -> consumer.partitionsFor(topic));
    return found == null
        ? List.of()
        : found.stream().map(each -> new TopicPartition(topic, each.partition())).toList();
  }

  Map<TopicPartition, Long> begins(List<TopicPartition> partitions) throws InterruptedException {
    return orEmpty(patience.ask(() -> consumer.beginningOffsets(partitions)));
  }

  /** As a reader of committed records sees them. */
  Map<TopicPartition, Long> ends(List<TopicPartition> partitions) throws InterruptedException {
    return orEmpty(patience.ask(() -> consumer.endOffsets(partitions)));
  }

  /** Where a position begins, in partitions that it doesn't name at the end. */
  Map<TopicPartition, Long> from(Position position, List<TopicPartition> partitions)
      throws InterruptedException {
    Map<TopicPartition, Long> begins = begins(partitions);
    Map<TopicPartition, Long> ends = ends(partitions);
    Map<TopicPartition, Long> found = offsets("--from", position, partitions, begins, ends);
    return clamped(partitions, begins, ends, each -> found.getOrDefault(each, ends.get(each)));
  }

  /** Where a position ends, in partitions that it doesn't name at the end. */
  Map<TopicPartition, Long> to(Position position, List<TopicPartition> partitions)
      throws InterruptedException {
    Map<TopicPartition, Long> begins = begins(partitions);
    Map<TopicPartition, Long> ends = ends(partitions);
    Map<TopicPartition, Long> found = offsets("--to", position, partitions, begins, ends);
    return clamped(partitions, begins, ends, each -> found.getOrDefault(each, ends.get(each)));
  }

  private static Map<TopicPartition, Long> clamped(
      List<TopicPartition> partitions,
      Map<TopicPartition, Long> begins,
      Map<TopicPartition, Long> ends,
      ToLongFunction<TopicPartition> offset) {
    Map<TopicPartition, Long> clamped = new HashMap<>();
    for (TopicPartition each : partitions) {
      if (begins.containsKey(each) && ends.containsKey(each)) {
        long least = Math.max(begins.get(each), offset.applyAsLong(each));
        clamped.put(each, Math.min(least, ends.get(each)));
      }
    }
    return clamped;
  }

  private Map<TopicPartition, Long> offsets(
      String option,
      Position position,
      List<TopicPartition> partitions,
      Map<TopicPartition, Long> begins,
      Map<TopicPartition, Long> ends)
      throws InterruptedException {
    if (position instanceof Position.Earliest) {
      return begins;
    }
    if (position instanceof Position.Time time) {
      return at(time.atMs(), partitions);
    }
    if (position instanceof Position.Offsets offsets) {
      return byPartition(option, offsets, partitions);
    }
    return ends;
  }

  private static Map<TopicPartition, Long> byPartition(
      String option, Position.Offsets offsets, List<TopicPartition> partitions) {
    Map<TopicPartition, Long> found = new HashMap<>();
    for (TopicPartition each : partitions) {
      Long offset = offsets.byPartition().get(each.partition());
      if (offset != null) {
        found.put(each, offset);
      }
    }
    if (found.size() < offsets.byPartition().size()) {
      throw new CommandException(
          "%s names partitions %s, and the topic has %d: number them from 0"
              .formatted(option, offsets.byPartition().keySet(), partitions.size()));
    }
    return found;
  }

  /** The first offsets at or after a moment, without the partitions that have nothing there. */
  Map<TopicPartition, Long> at(long atMs, List<TopicPartition> partitions)
      throws InterruptedException {
    Map<TopicPartition, Long> asked = new HashMap<>();
    partitions.forEach(each -> asked.put(each, atMs));
    Map<TopicPartition, @Nullable OffsetAndTimestamp> answer =
        patience.ask(() -> consumer.offsetsForTimes(asked));
    Map<TopicPartition, Long> found = new HashMap<>();
    if (answer != null) {
      answer.forEach(
          (partition, offset) -> {
            if (offset != null) {
              found.put(partition, offset.offset());
            }
          });
    }
    return found;
  }

  private static Map<TopicPartition, Long> orEmpty(@Nullable Map<TopicPartition, Long> answer) {
    return answer == null ? Map.of() : answer;
  }
}
