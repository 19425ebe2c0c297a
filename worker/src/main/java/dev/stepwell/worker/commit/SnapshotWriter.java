package dev.stepwell.worker.commit;

import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.SnapshotReference;
import dev.stepwell.worker.snapshot.PendingSnapshot;
import dev.stepwell.worker.snapshot.References;
import dev.stepwell.worker.snapshot.Snapshot;
import dev.stepwell.worker.state.Location;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.PieceId;
import dev.stepwell.worker.state.Place;
import dev.stepwell.worker.state.SnapshotException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;

/**
 * Writes the snapshots of one transaction to the blob topic. Not thread-safe: owned by the
 * partition's commit thread.
 *
 * <p>What refers to something goes after it, because only then its offset is known: loose pieces,
 * then bundles, then, by others, heads. Each stroke is flushed for all answers at once.
 */
final class SnapshotWriter {
  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;
  private final int partition;
  private final Clock clock;

  SnapshotWriter(KafkaProducer<byte[], byte[]> producer, String topic, int partition, Clock clock) {
    this.producer = producer;
    this.topic = topic;
    this.partition = partition;
    this.clock = clock;
  }

  /**
   * What was written; immutable.
   *
   * @param answers the answers with the heads that refer to it
   * @param snapshots the snapshots as others will read them once they are committed
   */
  record Written(List<Answer> answers, List<Snapshot> snapshots) {}

  Written write(List<Answer> answers) throws InterruptedException {
    if (answers.stream().allMatch(answer -> answer.snapshot() == null)) {
      return new Written(answers, List.of());
    }
    try {
      return writeBundles(answers, writeLoosePieces(answers));
    } catch (SnapshotException e) {
      throw new KafkaException("this worker's cache has lost a piece that nobody else has", e);
    }
  }

  private Map<PieceId, Location> writeLoosePieces(List<Answer> answers)
      throws SnapshotException, InterruptedException {
    Map<PieceId, Future<RecordMetadata>> sent = new HashMap<>();
    for (Answer answer : answers) {
      PendingSnapshot snapshot = answer.snapshot();
      if (snapshot != null) {
        for (Piece piece : snapshot.loose()) {
          if (!sent.containsKey(piece.id())) {
            sent.put(piece.id(), send(answer, snapshot.read(piece)));
          }
        }
      }
    }
    Map<PieceId, Location> places = new HashMap<>();
    if (!sent.isEmpty()) {
      producer.flush();
      for (Map.Entry<PieceId, Future<RecordMetadata>> piece : sent.entrySet()) {
        long offset = await(piece.getValue()).offset();
        places.put(piece.getKey(), new Location.InTopic(partition, offset, 1, 0, clock.millis()));
      }
    }
    return places;
  }

  private Written writeBundles(List<Answer> answers, Map<PieceId, Location> loose)
      throws SnapshotException, InterruptedException {
    List<PendingSnapshot.Written> bundles = new ArrayList<>();
    List<List<Future<RecordMetadata>>> sent = new ArrayList<>();
    for (Answer answer : answers) {
      PendingSnapshot snapshot = answer.snapshot();
      if (snapshot != null) {
        PendingSnapshot.Written bundle = snapshot.write(loose);
        bundles.add(bundle);
        sent.add(sendBundle(answer, bundle.bytes()));
      }
    }
    producer.flush();
    List<Answer> placed = new ArrayList<>();
    List<Snapshot> snapshots = new ArrayList<>();
    for (Answer answer : answers) {
      PendingSnapshot snapshot = answer.snapshot();
      if (snapshot == null) {
        placed.add(answer);
      } else {
        int index = snapshots.size();
        Snapshot committed = bundles.get(index).at(place(sent.get(index)));
        snapshots.add(committed);
        placed.add(withReference(answer, snapshot, committed));
      }
    }
    return new Written(placed, snapshots);
  }

  private List<Future<RecordMetadata>> sendBundle(Answer answer, byte[] bundle) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (int from = 0; from < bundle.length; from += Place.RECORD_BYTES) {
      int to = Math.min(bundle.length, from + Place.RECORD_BYTES);
      sent.add(send(answer, Arrays.copyOfRange(bundle, from, to)));
    }
    return sent;
  }

  /** One thread sends to the partition, so a bundle's records follow one another. */
  private Place place(List<Future<RecordMetadata>> records) throws InterruptedException {
    long first = await(records.get(0)).offset();
    for (int i = 1; i < records.size(); i++) {
      if (await(records.get(i)).offset() != first + i) {
        throw new KafkaException("the records of a bundle are not in one row");
      }
    }
    return new Place(partition, first, clock.millis());
  }

  private Future<RecordMetadata> send(Answer answer, byte[] bytes) {
    Answer.SessionAdvance session = answer.session();
    byte[] key =
        session == null ? new byte[0] : session.sessionId().getBytes(StandardCharsets.UTF_8);
    return producer.send(new ProducerRecord<>(topic, partition, key, bytes));
  }

  private static Answer withReference(Answer answer, PendingSnapshot snapshot, Snapshot committed) {
    Answer.SessionAdvance session = answer.session();
    Head head = session == null ? null : session.head();
    if (session == null || head == null) {
      return answer;
    }
    SnapshotReference reference = References.head(committed.stored(), snapshot.size());
    return answer.withSession(
        session.withHead(
            new Head(
                head.step(), head.lastOffset(), head.recentRequests(), reference, head.reseed())));
  }

  static RecordMetadata await(Future<RecordMetadata> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
    }
  }
}
