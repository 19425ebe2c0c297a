package dev.stepwell.worker.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stepwell.worker.config.WorkerConfig;
import dev.stepwell.worker.delivery.TestKafka;
import dev.stepwell.worker.state.store.S3Server;
import dev.stepwell.worker.state.store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two workers one after the other: what the first leaves, the second finds. */
@Timeout(120)
class PieceStoreIT {
  @TempDir static Path folder;

  private static Blobs blobs;
  private static S3Server s3;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(TestKafka.available(), "no engine to run Kafka on");
    assumeTrue(S3Server.available(), "no S3 server: Maven copies it before integration tests");
    s3 = S3Server.start(folder.resolve("s3"));
    blobs = new Blobs();
  }

  @AfterAll
  static void stop() {
    if (s3 != null) {
      s3.close();
    }
    if (blobs != null) {
      blobs.close();
    }
  }

  @Test
  void largeBufferInS3AndSmallPieceInTheTopic_areFoundByAnotherWorker() throws Exception {
    byte[] buffer = bytes(16 << 20);
    byte[] small = bytes(1000);
    List<Piece> settled;
    Piece inTopic = blobs.writePieces(1, List.of(small)).get(0);
    try (PieceStore first = open("first", s3Settings())) {
      settled = upload(first, buffer);
    }

    Path sandbox = Files.createDirectory(folder.resolve("sandbox"));
    try (PieceStore second = open("second", s3Settings())) {
      List<Piece> wanted = new ArrayList<>(settled);
      wanted.add(inTopic);
      List<Placement> placed = second.place(wanted, sandbox);

      byte[] file = Files.readAllBytes(sandbox.resolve(placed.get(0).extent()));
      assertThat(placed).extracting(Placement::extent).containsOnly(placed.get(0).extent());
      assertThat(file).startsWith(buffer).endsWith(small);
      assertThat(second.read(inTopic)).isEqualTo(small);
      assertThat(second.records(1, ((Location.InTopic) location(inTopic)).offset(), 1, 1000))
          .isEqualTo(small);
    }
    assertThat(folder.resolve("second").toFile().list()).isEmpty();
  }

  private static List<Piece> upload(PieceStore store, byte[] buffer) throws Exception {
    try (NewPieces taken = store.take()) {
      List<Piece> pieces = new ArrayList<>();
      for (int at = 0; at < buffer.length; at += Piece.MAX_BYTES) {
        pieces.add(taken.add(buffer, at, Piece.MAX_BYTES));
      }
      List<Piece> settled = store.claimCheck().settle(pieces);
      assertThat(settled).allMatch(each -> each.location() instanceof Location.InStore);
      return settled;
    }
  }

  @Test
  void sharedFolder_doesTheSame() throws Exception {
    Path share = Files.createDirectory(folder.resolve("share"));
    Map<String, String> settings = Map.of("object.store", share.toString());
    List<Piece> settled;
    byte[] buffer = bytes(4 << 20);
    try (PieceStore first = open("third", settings)) {
      settled = upload(first, buffer);
    }
    try (PieceStore second = open("fourth", settings)) {
      second.fetch(settled);
      for (int i = 0; i < settled.size(); i++) {
        assertThat(PieceId.of(second.read(settled.get(i)))).isEqualTo(settled.get(i).id());
      }
    }
  }

  @Test
  void storeThatCanNotBeWrittenTo_keepsTheWorkerFromStarting() {
    Map<String, String> settings = s3Settings();
    settings.put("object.store", "s3://no-such-bucket/x");

    assertThatThrownBy(() -> open("fifth", settings).close())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("s3://no-such-bucket/x");
  }

  private static Map<String, String> s3Settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("object.store", "s3://" + S3Server.BUCKET + "/state");
    settings.put("object.store.endpoint", s3.endpoint().toString());
    settings.put("object.store.credentials.file", s3.credentials().toString());
    return settings;
  }

  private static PieceStore open(String worker, Map<String, String> settings) throws Exception {
    Map<String, String> all = new HashMap<>(settings);
    all.put("scratch.folder", folder.resolve(worker).toString());
    WorkerConfig config = blobs.config(all);
    return PieceStore.open(config, blobs.kafka(), Clock.systemUTC());
  }

  private static Location location(Piece piece) {
    Location location = piece.location();
    if (location == null) {
      throw new AssertionError("not durable");
    }
    return location;
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }
}
