package dev.stepwell.worker.commit;

import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.worker.config.KafkaConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersResult;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds where a transaction has no end though its coordinator calls it ended, and writes one.
 *
 * <p>Kafka 4.3 leaves such places when a broker is killed: where nobody leads a partition at the
 * moment, it takes the partition for deleted and writes no end. Readers then see nothing behind
 * that transaction's first message, and the next end by the same producer counts for it, too, so
 * that what was aborted may be committed after all. Thread-safe.
 */
final class MissingEnds {
  private static final Logger log = LoggerFactory.getLogger(MissingEnds.class);

  private static final Set<TransactionState> COMMITS =
      Set.of(TransactionState.PREPARE_COMMIT, TransactionState.COMPLETE_COMMIT);

  private final Admin admin;
  private final KafkaConnection kafka;
  private final Topics topics;
  private final MessageCodec codec;

  /**
   * @param admin stays the caller's to close
   */
  MissingEnds(Admin admin, KafkaConnection kafka, Topics topics, MessageCodec codec) {
    this.admin = admin;
    this.kafka = kafka;
    this.topics = topics;
    this.codec = codec;
  }

  /**
   * The last transaction of a partition's earlier owners; immutable.
   *
   * @param producerId Kafka's number for whom it was
   * @param committed whether it is committed, or being committed; else it is or will be aborted
   * @param wrote where it wrote as far as the coordinator still knows, which is while it is open
   */
  record Last(long producerId, boolean committed, Set<TopicPartition> wrote) {}

  /** A place where a transaction has no end, and its producer's state there; immutable. */
  private record Place(TopicPartition where, ProducerState producer) {}

  /**
   * What the coordinator knows of a transactional id; empty if it is new.
   *
   * @throws KafkaException if it can't be asked
   */
  Optional<Last> last(String transactionalId) throws InterruptedException {
    try {
      TransactionDescription found =
          admin.describeTransactions(List.of(transactionalId)).description(transactionalId).get();
      return Optional.of(
          new Last(found.producerId(), COMMITS.contains(found.state()), found.topicPartitions()));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TransactionalIdNotFoundException) {
        return Optional.empty();
      }
      throw new KafkaException("can't read the state of " + transactionalId, e.getCause());
    }
  }

  /**
   * Writes the last transaction's end where it has none. To be called once its id is fenced: from
   * then on it is over, and has its end wherever it will have one by itself.
   *
   * @param partition the partition whose earlier owners' it is
   * @param producer the new owner's, between two transactions
   * @param group as the new owner commits offsets under
   * @throws KafkaException if Kafka can't be asked, or doesn't take it
   */
  void write(
      Last last, int partition, KafkaProducer<byte[], byte[]> producer, ConsumerGroupMetadata group)
      throws InterruptedException {
    List<Place> open = open(last, partition);
    if (open.isEmpty()) {
      return;
    }
    log.warn(
        "partition {}: Kafka {} a transaction and wrote no end in {}; doing so now",
        partition,
        last.committed() ? "committed" : "aborted",
        open.stream().map(Place::where).toList());
    if (last.committed()) {
      commit(open, partition, producer, group);
    } else {
      abort(open);
    }
  }

  private List<Place> open(Last last, int partition) throws InterruptedException {
    Set<TopicPartition> candidates = new LinkedHashSet<>(last.wrote());
    for (String topic : List.of(topics.results(), topics.heads(), topics.deadLetters())) {
      candidates.add(new TopicPartition(topic, partition));
    }
    offsets().ifPresent(candidates::add);
    DescribeProducersResult states = admin.describeProducers(candidates);
    List<Place> open = new ArrayList<>();
    for (TopicPartition candidate : candidates) {
      for (ProducerState producer : producers(states, candidate)) {
        if (producer.producerId() == last.producerId()
            && producer.currentTransactionStartOffset().isPresent()) {
          open.add(new Place(candidate, producer));
        }
      }
    }
    return open;
  }

  /** Where the group's offsets are kept; empty for a worker that may not know. */
  private Optional<TopicPartition> offsets() throws InterruptedException {
    String topic = Topic.GROUP_METADATA_TOPIC_NAME;
    try {
      Map<String, TopicDescription> found =
          admin.describeTopics(List.of(topic)).allTopicNames().get();
      int partitions = found.values().iterator().next().partitions().size();
      return Optional.of(
          new TopicPartition(topic, offsetsPartition(kafka.kafka().groupId(), partitions)));
    } catch (ExecutionException e) {
      if (isOutOfReach(e.getCause())) {
        return Optional.empty();
      }
      throw new KafkaException("can't describe " + topic, e.getCause());
    }
  }

  /** As the group coordinator has it, which differs from how producers partition by a hash. */
  static int offsetsPartition(String group, int partitions) {
    return Utils.abs(group.hashCode()) % partitions;
  }

  private static List<ProducerState> producers(
      DescribeProducersResult states, TopicPartition partition) throws InterruptedException {
    try {
      return states.partitionResult(partition).get().activeProducers();
    } catch (ExecutionException e) {
      if (isOutOfReach(e.getCause())) {
        return List.of();
      }
      throw new KafkaException("can't read the producers of " + partition, e.getCause());
    }
  }

  /** Not being allowed to look must not keep a worker from serving. */
  private static boolean isOutOfReach(@Nullable Throwable cause) {
    return cause instanceof AuthorizationException
        || cause instanceof UnknownTopicOrPartitionException;
  }

  /**
   * Kafka knows no other way to a missing end of a commit than the next commit of the same producer
   * in the same place, with something in it.
   */
  private void commit(
      List<Place> open,
      int partition,
      KafkaProducer<byte[], byte[]> producer,
      ConsumerGroupMetadata group)
      throws InterruptedException {
    producer.beginTransaction();
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (Place place : open) {
      TopicPartition where = place.where();
      if (where.topic().equals(Topic.GROUP_METADATA_TOPIC_NAME)) {
        // No member of the group reads heads, so this is nobody's offset.
        producer.sendOffsetsToTransaction(
            Map.of(new TopicPartition(topics.heads(), partition), new OffsetAndMetadata(0)), group);
      } else {
        sent.add(producer.send(filler(where)));
      }
    }
    producer.commitTransaction();
    for (Future<RecordMetadata> future : sent) {
      SnapshotWriter.await(future);
    }
  }

  /** The end of a session that nobody has, or the result of a request that nobody has made. */
  private ProducerRecord<byte[], byte[]> filler(TopicPartition where) {
    String id = "end-of-transaction-" + UUID.randomUUID();
    byte[] key = id.getBytes(StandardCharsets.UTF_8);
    byte[] value = null;
    if (!where.topic().equals(topics.heads())) {
      value =
          codec.encode(
              new ExecutionResult(
                  id,
                  null,
                  null,
                  Outcome.CANCELLED,
                  null,
                  null,
                  "",
                  "",
                  Truncation.NONE,
                  null,
                  null,
                  null,
                  null,
                  Timings.NONE,
                  Usage.NONE,
                  kafka.workerId(),
                  null,
                  1));
    }
    return new ProducerRecord<>(where.topic(), where.partition(), key, value);
  }

  private void abort(List<Place> open) throws InterruptedException {
    for (Place place : open) {
      ProducerState producer = place.producer();
      AbortTransactionSpec spec =
          new AbortTransactionSpec(
              place.where(),
              producer.producerId(),
              (short) producer.producerEpoch(),
              producer.coordinatorEpoch().orElse(0));
      try {
        admin.abortTransaction(spec).all().get();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof AuthorizationException)) {
          throw new KafkaException("can't end a transaction in " + place.where(), e.getCause());
        }
        log.error(
            "{}: this worker may not write the end, so a result may come to be there twice: let it"
                + " ALTER the cluster, or run kafka-transactions.sh abort --topic {} --partition {}"
                + " --start-offset {} while no worker has the partition",
            place.where(),
            place.where().topic(),
            place.where().partition(),
            producer.currentTransactionStartOffset().orElse(-1),
            e.getCause());
      }
    }
  }
}
