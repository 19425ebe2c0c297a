package dev.stepwell.cli.run;

import dev.stepwell.cli.process.CommandException;
import dev.stepwell.protocol.codec.RequestSalvage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/** What earlier processes of a run have published, read from the request topic. */
final class EarlierRequests {
  /** Which copy a record is of a request that was published more than once; absent on the first. */
  static final String COPY_HEADER = "stepwell-copy";

  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration SILENCE_LIMIT = Duration.ofMinutes(1);

  private EarlierRequests() {}

  /** The name that a copy is remembered by, which no request has: ids are without spaces. */
  static String copyName(String requestId, int copy) {
    return requestId + " " + copy;
  }

  /**
   * Reads them up to the topic's end as it is now.
   *
   * @param from the offsets to begin at, for each partition
   * @param keyPrefix what the keys of the run's requests begin with
   * @param finished which of them nobody will ask for
   */
  static IdSet read(
      Consumer<String, byte[]> consumer,
      String topic,
      List<Long> from,
      String keyPrefix,
      Predicate<String> finished) {
    List<TopicPartition> all =
        IntStream.range(0, from.size()).mapToObj(each -> new TopicPartition(topic, each)).toList();
    Map<TopicPartition, Long> ends = consumer.endOffsets(all);
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(all);
    consumer.assign(all);
    for (TopicPartition each : all) {
      long begin = Math.max(from.get(each.partition()), begins.getOrDefault(each, 0L));
      consumer.seek(each, Math.min(begin, ends.getOrDefault(each, 0L)));
    }
    IdSet published = new IdSet();
    long lastMoved = System.nanoTime();
    while (!all.stream().allMatch(each -> consumer.position(each) >= ends.getOrDefault(each, 0L))) {
      for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
        lastMoved = System.nanoTime();
        note(record, keyPrefix, finished, published);
      }
      if (System.nanoTime() - lastMoved > SILENCE_LIMIT.toNanos()) {
        throw new CommandException(
            "what the run has sent before can't be read from " + topic + ": Kafka is silent");
      }
    }
    return published;
  }

  private static void note(
      ConsumerRecord<String, byte[]> record,
      String keyPrefix,
      Predicate<String> finished,
      IdSet published) {
    if (record.key() == null || record.value() == null || !record.key().startsWith(keyPrefix)) {
      return;
    }
    String id = RequestSalvage.from(record.value()).requestId();
    if (id == null) {
      return;
    }
    Header copy = record.headers().lastHeader(COPY_HEADER);
    String name =
        copy == null ? id : id + " " + new String(copy.value(), StandardCharsets.US_ASCII);
    if (!finished.test(name)) {
      published.add(name);
    }
  }
}
