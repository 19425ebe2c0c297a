package dev.stepwell.cli.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.cli.progress.Progress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class MergedReaderTest {
  private static final TopicPartition ZERO = new TopicPartition("t", 0);
  private static final TopicPartition ONE = new TopicPartition("t", 1);

  private final MockConsumer<byte[], byte[]> consumer =
      new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name());
  private final Admin admin = Admin.create(nowhere());
  private boolean stopped;

  @AfterEach
  void close() {
    admin.close(java.time.Duration.ZERO);
  }

  @Test
  void records_comeByTheirTimes_butNoPartitionsOrderIsBroken() throws InterruptedException {
    MergedReader reader = reader();
    add(ZERO, 0, 10);
    add(ZERO, 1, 30);
    add(ZERO, 2, 20);
    add(ONE, 0, 15);
    add(ONE, 1, 30);
    add(ONE, 2, 31);
    reader.upTo(Map.of(ZERO, 3L, ONE, 3L));

    assertThat(all(reader)).containsExactly("0:0", "1:0", "0:1", "0:2", "1:1", "1:2");
  }

  @Test
  void end_isWhereItWasSet_andMayBeSetFurther() throws InterruptedException {
    MergedReader reader = reader();
    for (int i = 0; i < 5; i++) {
      add(ZERO, i, i);
    }
    reader.upTo(Map.of(ZERO, 2L, ONE, 0L));
    assertThat(all(reader)).containsExactly("0:0", "0:1");
    for (int i = 2; i < 5; i++) {
      add(ZERO, i, i);
    }
    reader.upTo(Map.of(ZERO, 4L, ONE, 0L));
    assertThat(all(reader)).containsExactly("0:2", "0:3");
    assertThat(reader.taken()).isEqualTo(4);
  }

  @Test
  void partitionFarAhead_waitsForTheOthers() throws InterruptedException {
    MergedReader reader = reader();
    for (int i = 0; i < 3; i++) {
      addLarge(ZERO, i, 1000 + i);
    }
    consumer.schedulePollTask(() -> {});
    consumer.schedulePollTask(
        () -> {
          assertThat(consumer.paused()).contains(ZERO);
          add(ONE, 0, 1);
        });
    reader.upTo(Map.of(ZERO, 4L, ONE, 1L));
    ConsumerRecord<byte[], byte[]> first = reader.next();
    assertThat(first).isNotNull();
    assertThat(Objects.requireNonNull(first).partition()).isEqualTo(1);
  }

  @Test
  void readerThatIsStopped_endsWhereItIs() throws InterruptedException {
    MergedReader reader = reader();
    reader.upTo(Map.of(ZERO, 2L, ONE, 0L));
    stopped = true;
    assertThat(reader.next()).isNull();
  }

  private MergedReader reader() {
    consumer.assign(List.of(ZERO, ONE));
    consumer.updateBeginningOffsets(Map.of(ZERO, 0L, ONE, 0L));
    consumer.updateEndOffsets(new HashMap<>(Map.of(ZERO, 0L, ONE, 0L)));
    Patience patience = new Patience(admin, "nowhere", Progress.NONE, () -> stopped);
    return new MergedReader(consumer, Map.of(ZERO, 0L, ONE, 0L), patience);
  }

  private void add(TopicPartition partition, long offset, long atMs) {
    add(partition, offset, atMs, 1);
  }

  private void addLarge(TopicPartition partition, long offset, long atMs) {
    add(partition, offset, atMs, 1 << 20);
  }

  private void add(TopicPartition partition, long offset, long atMs, int bytes) {
    consumer.addRecord(
        new ConsumerRecord<>(
            "t",
            partition.partition(),
            offset,
            atMs,
            TimestampType.CREATE_TIME,
            0,
            bytes,
            new byte[0],
            new byte[bytes],
            new RecordHeaders(),
            java.util.Optional.empty()));
  }

  private static List<String> all(MergedReader reader) throws InterruptedException {
    List<String> all = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> each = reader.next(); each != null; each = reader.next()) {
      all.add(each.partition() + ":" + each.offset());
    }
    return all;
  }

  private static Properties nowhere() {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", "127.0.0.1:1");
    return properties;
  }
}
