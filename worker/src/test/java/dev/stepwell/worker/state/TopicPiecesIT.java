package dev.stepwell.worker.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stepwell.worker.delivery.TestKafka;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TopicPiecesIT {
  private static Blobs blobs;

  private final Random random = new Random(7);
  private TopicPieces topic;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(TestKafka.available(), "no engine to run Kafka on");
    blobs = new Blobs();
  }

  @AfterAll
  static void stop() {
    if (blobs != null) {
      blobs.close();
    }
  }

  @BeforeEach
  void open() {
    topic = new TopicPieces(blobs.kafka(), blobs.topic(), 2);
  }

  @AfterEach
  void close() {
    topic.close();
  }

  @Test
  void pieces_areFoundWhateverRecordsTheyAreIn() throws Exception {
    List<Piece> pieces = new ArrayList<>();
    pieces.addAll(blobs.writePieces(0, List.of(bytes(10), bytes(Piece.MAX_BYTES))));
    blobs.writeInVain(0, List.of(bytes(100), bytes(200)));
    pieces.addAll(severalInFewRecords(0));
    pieces.addAll(blobs.writePieces(1, List.of(bytes(3000), bytes(1))));
    blobs.write(0, Collections.nCopies(30, bytes(1000)));
    pieces.addAll(severalInFewRecords(0));
    Collections.shuffle(pieces, random);

    Map<PieceId, byte[]> read = read(pieces);

    assertThat(read).hasSize(pieces.size());
    read.forEach((id, bytes) -> assertThat(PieceId.of(bytes)).isEqualTo(id));
  }

  /** Forty pieces one after the other in three records, some of them across two. */
  private List<Piece> severalInFewRecords(int partition) throws Exception {
    ByteArrayOutputStream bundle = new ByteArrayOutputStream();
    List<byte[]> contents = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      contents.add(bytes(1 + random.nextInt(100_000)));
      bundle.writeBytes(contents.get(i));
    }
    byte[] all = bundle.toByteArray();
    int third = all.length / 3;
    List<Long> offsets =
        blobs.write(
            partition,
            List.of(
                Arrays.copyOfRange(all, 0, third),
                Arrays.copyOfRange(all, third, 2 * third),
                Arrays.copyOfRange(all, 2 * third, all.length)));
    List<Piece> pieces = new ArrayList<>();
    int start = 0;
    for (byte[] bytes : contents) {
      pieces.add(
          new Piece(
              PieceId.of(bytes),
              bytes.length,
              new Location.InTopic(partition, offsets.get(0), 3, start, 0)));
      start += bytes.length;
    }
    return pieces;
  }

  @Test
  void largeBuffer_comesInOneGo() throws Exception {
    List<byte[]> contents = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      contents.add(bytes(Piece.MAX_BYTES));
    }

    Map<PieceId, byte[]> read = read(blobs.writePieces(0, contents));

    contents.forEach(bytes -> assertThat(read.get(PieceId.of(bytes))).isEqualTo(bytes));
  }

  @Test
  void openTransactionOfAnother_holdsUpNobody() throws Exception {
    try (Blobs own = new Blobs();
        TopicPieces pieces = new TopicPieces(own.kafka(), own.topic(), 1);
        KafkaProducer<byte[], byte[]> other = new KafkaProducer<>(own.kafka().transactional(99))) {
      other.initTransactions();
      other.beginTransaction();
      Future<?> open = other.send(new ProducerRecord<>(own.topic(), 0, new byte[1], new byte[1]));
      other.flush();
      assertThat(open).isDone();
      List<Piece> written = own.writePieces(0, List.of(bytes(10)));

      assertThat(count(pieces, written)).isEqualTo(1);
    }
  }

  @Test
  void expiredPiece_isGoneForGoodAndTheMessageSaysWhy() throws Exception {
    try (Blobs own = new Blobs();
        TopicPieces pieces = new TopicPieces(own.kafka(), own.topic(), 1)) {
      List<Piece> written = own.writePieces(0, List.of(bytes(10), bytes(20), bytes(30)));
      own.expireBefore(0, ((Location.InTopic) location(written.get(2))).offset());

      SnapshotException gone =
          catchThrowableOfType(
              SnapshotException.class, () -> pieces.read(written, (piece, bytes) -> {}));
      assertThat(gone.permanent()).isTrue();
      assertThat(gone).hasMessageContaining("is gone").hasMessageContaining("retention.ms");
      assertThat(count(pieces, written.subList(2, 3))).isEqualTo(1);
    }
  }

  @Test
  void offsetPastTheEnd_isGoneForGood() throws Exception {
    Piece piece = blobs.writePieces(1, List.of(bytes(10))).get(0);
    Piece beyond = piece.at(new Location.InTopic(1, 1_000_000, 1, 0, 0));

    assertThatThrownBy(() -> read(List.of(beyond)))
        .isInstanceOfSatisfying(SnapshotException.class, e -> assertThat(e.permanent()).isTrue())
        .hasMessageContaining("ends before offset 1000000");
    assertThat(read(List.of(piece))).hasSize(1);
  }

  @Test
  void records_areOneArray() throws Exception {
    byte[] first = bytes(100);
    byte[] second = bytes(Piece.MAX_BYTES);
    long offset = blobs.write(0, List.of(first, second, bytes(10))).get(0);

    assertThat(topic.records(0, offset, 2, 1 << 20))
        .startsWith(first)
        .endsWith(second)
        .hasSize(first.length + second.length);
    assertThatThrownBy(() -> topic.records(0, offset, 2, 1000))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("more than 1000 bytes");
    // Behind the third one there is the transaction's marker.
    assertThatThrownBy(() -> topic.records(0, offset, 4, 1 << 20))
        .isInstanceOfSatisfying(SnapshotException.class, e -> assertThat(e.permanent()).isTrue())
        .hasMessageContaining("only 3 are there");
  }

  @Test
  void interruptedReader_isLetGoAndTheNextOneIsServed() throws Exception {
    Piece piece = blobs.writePieces(0, List.of(bytes(10))).get(0);

    for (int i = 0; i < 2; i++) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> read(List.of(piece))).isInstanceOf(InterruptedException.class);
    }
    assertThat(read(List.of(piece))).hasSize(1);
  }

  @Test
  void frozenBroker_isAPassingFailureInTime() throws Exception {
    Piece piece = blobs.writePieces(0, List.of(bytes(10))).get(0);
    read(List.of(piece));

    TestKafka.freeze();
    try {
      long before = System.nanoTime();
      assertThatThrownBy(() -> read(List.of(piece)))
          .isInstanceOfSatisfying(
              SnapshotException.class, e -> assertThat(e.permanent()).isFalse());
      assertThat(System.nanoTime() - before).isLessThan(30_000_000_000L);
    } finally {
      TestKafka.thaw();
    }
    assertThat(read(List.of(piece))).hasSize(1);
  }

  private static Location location(Piece piece) {
    Location location = piece.location();
    if (location == null) {
      throw new AssertionError("not durable");
    }
    return location;
  }

  private static int count(TopicPieces from, List<Piece> pieces) throws Exception {
    List<Piece> found = new ArrayList<>();
    from.read(pieces, (piece, bytes) -> found.add(piece));
    return found.size();
  }

  private Map<PieceId, byte[]> read(List<Piece> pieces) throws Exception {
    Map<PieceId, byte[]> found = new HashMap<>();
    topic.read(pieces, (piece, bytes) -> assertThat(found.put(piece.id(), bytes)).isNull());
    return found;
  }

  private byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }
}
