package dev.stepwell.cli.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogFileTest {
  private static final int FEW = 4;

  @TempDir private Path folder;

  @Test
  void log_givesBackWhatWasWritten() throws IOException {
    Path file = folder.resolve("a.log");
    SampleLog.write(file, 10, 3);

    try (RecordedLog log = RecordedLogs.open(file)) {
      assertThat(log.tear()).isNull();
      assertThat(log.header().version()).isEqualTo(1);
      assertThat(log.header().recordedAtMs()).isEqualTo(1700);
      assertThat(log.header().source()).contains("c1").contains("stepwell").contains("earliest");
      assertThat(log.header().ignore()).containsExactly("addresses", "/a b/");
      assertThat(log.requestCount()).hasValue(10);
      assertEntries(log, 10, 10);
      for (int i = 0; i < 10; i++) {
        assertSnapshot(log, i);
      }
      assertThat(log.snapshots("s0"))
          .extracting(RecordedSnapshot::step)
          .containsExactly(1L, 2L, 3L, 4L);
      assertThat(log.snapshots("none")).isEmpty();
      assertThat(log.snapshot(SampleLog.id("none"))).isNull();
      assertThat(log.piece(SampleLog.id("none"))).isNull();
    }
  }

  @Test
  void zcat_givesLinesThatAreALogToo() throws IOException {
    Path file = folder.resolve("a.log");
    SampleLog.write(file, 10, 3);
    Path lines = folder.resolve("a.jsonl");
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      Files.copy(in, lines);
    }

    assertThat(Files.readAllLines(lines).get(0)).startsWith("{\"type\":\"log\",\"version\":1,");
    try (RecordedLog log = RecordedLogs.open(lines)) {
      assertThat(log.header().version()).isEqualTo(1);
      assertEntries(log, 10, 10);
      assertSnapshot(log, 7);
      assertThat(log.tear()).isNull();
    }
  }

  @Test
  void messageThatIsNoJsonObject_isKeptAsItIs() throws IOException {
    Path file = folder.resolve("a.log");
    List<String> messages =
        List.of(
            "no json", "[1]", "{\"a\":1,\"a\":2}", "{} {}", "", "{\"a\": 1,\n\r \"b\":\"\\n\"}");
    try (LogWriter writer = SampleLog.create(file)) {
      for (String message : messages) {
        writer.request(5, 0, 7, "k", message.getBytes(UTF_8), List.of());
      }
    }
    try (RecordedLog log = RecordedLogs.open(file)) {
      List<RecordedRequest> all = SampleLog.all(log.requests());
      assertThat(all).hasSize(messages.size());
      assertThat(all)
          .allSatisfy(
              each -> {
                assertThat(each.request()).isNull();
                assertThat(each.problem()).startsWith("the request at offset 7 of partition 0: ");
                assertThat(each.key()).isEqualTo("k");
              });
    }
  }

  @Test
  void existingFile_isReplacedOnlyIfAskedFor() throws IOException {
    Path file = Files.writeString(folder.resolve("a.log"), "mine");
    assertThatThrownBy(() -> SampleLog.create(file)).isInstanceOf(FileAlreadyExistsException.class);
    assertThat(file).hasContent("mine");
    try (LogWriter writer = LogWriter.create(file, 1, SampleLog.ORIGIN, List.of(), true)) {
      writer.counts(new LogCounts(0, 0, 0, false));
    }
    try (RecordedLog log = RecordedLogs.open(file)) {
      assertThat(log.tear()).isNull();
      assertThat(log.requestCount()).hasValue(0);
    }
  }

  @Test
  void logThatWasStopped_isGoodAndSaysSo() throws IOException {
    Path file = folder.resolve("a.log");
    try (LogWriter writer = SampleLog.create(file)) {
      writer.request(1, 0, 0, "k", "no json".getBytes(UTF_8), List.of());
    }
    Path lines = folder.resolve("a.jsonl");
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      Files.copy(in, lines);
    }
    for (Path each : List.of(file, lines)) {
      try (RecordedLog log = RecordedLogs.open(each)) {
        assertThat(SampleLog.all(log.requests())).hasSize(1);
        assertThat(log.tear())
            .isNotNull()
            .extracting(Tear::reason)
            .isEqualTo("the recording was stopped before its end");
      }
    }
  }

  @Test
  void logTornAnywhere_isGoodUpToItsTear() throws IOException {
    Path whole = folder.resolve("a.log");
    SampleLog.write(whole, FEW, 2);
    byte[] bytes = Files.readAllBytes(whole);
    int most = 0;
    for (int length = 0; length < bytes.length; length++) {
      Path torn = Files.write(folder.resolve("torn.log"), Arrays.copyOf(bytes, length));
      try (RecordedLog log = RecordedLogs.open(torn)) {
        Tear tear = log.tear();
        assertThat(tear).as("%d bytes", length).isNotNull();
        assertThat(Objects.requireNonNull(tear).position()).isLessThanOrEqualTo(length);
        int requests = assertPrefix(log, length);
        assertThat(log.requestCount()).hasValue(requests);
        assertThat(requests).isGreaterThanOrEqualTo(most);
        most = requests;
      }
    }
    assertThat(most).isEqualTo(FEW);
  }

  @Test
  void flippedBits_endTheLogAndFalsifyNothing() throws IOException {
    Path whole = folder.resolve("a.log");
    SampleLog.write(whole, FEW, 2);
    byte[] bytes = Files.readAllBytes(whole);
    Random random = new Random(1);
    int unnoticed = 0;
    for (int i = 0; i < bytes.length; i += 2) {
      byte[] damaged = bytes.clone();
      damaged[i] ^= (byte) (1 << random.nextInt(8));
      Path file = Files.write(folder.resolve("damaged.log"), damaged);
      try (RecordedLog log = RecordedLogs.open(file)) {
        int requests = assertPrefix(log, i);
        if (log.tear() == null) {
          // A bit behind the end of what deflate says: nothing is lost by it.
          assertThat(requests).as("byte %d", i).isEqualTo(FEW);
          unnoticed++;
        }
      }
    }
    assertThat(unnoticed).isLessThan(bytes.length / 200);
  }

  @Test
  void garbageBehindALog_isToldAndHurtsNothing() throws IOException {
    Path file = folder.resolve("a.log");
    SampleLog.write(file, 8, 2);
    long size = Files.size(file);
    Files.write(file, new byte[100], StandardOpenOption.APPEND);
    try (RecordedLog log = RecordedLogs.open(file)) {
      assertEntries(log, 8, 8);
      assertThat(log.tear()).isEqualTo(new Tear(size, "no block begins there"));
    }
  }

  @Test
  void entries_areSkippedByTheirBlocksHeadersAlone() throws IOException {
    Path file = folder.resolve("a.log");
    SampleLog.write(file, 8, 2);
    byte[] bytes = Files.readAllBytes(file);
    // Spoils what is in every block of results: whoever wants requests must not notice.
    for (int at = 0; at < bytes.length; ) {
      int memberBytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(at + 20);
      if (bytes[at + 17] == BlockKind.RESULTS.number()) {
        Arrays.fill(bytes, at + BlockHeader.BYTES, at + memberBytes, (byte) 0x55);
      }
      at += memberBytes;
    }
    Files.write(file, bytes);
    try (RecordedLog log = RecordedLogs.open(file)) {
      assertThat(SampleLog.all(log.requests())).hasSize(8);
      assertThat(log.tear()).isNull();
      assertThat(SampleLog.all(log.results())).isEmpty();
      assertThat(log.tear()).isNotNull();
      // Known damage is the end for all.
      assertThat(SampleLog.all(log.requests())).hasSizeLessThan(8);
    }
  }

  @Test
  void newerVersion_isRefusedWithBothVersionsAndTheWayOut() throws IOException {
    Path file = folder.resolve("a.log");
    SampleLog.write(file, 1, 1);
    byte[] bytes = Files.readAllBytes(file);
    bytes[16] = 7;
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, 52);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(52, (int) crc.getValue());
    Files.write(file, bytes);
    assertThatThrownBy(() -> RecordedLogs.open(file))
        .isInstanceOfSatisfying(LogVersionException.class, e -> assertThat(e.found()).isEqualTo(7))
        .hasMessageContainingAll(file.toString(), "version 7", "version 1", "newer");
  }

  @Test
  void largeLines_areBlocksOfTheirOwn() throws IOException {
    Path file = folder.resolve("a.log");
    byte[] random = new byte[3 << 20];
    new Random(2).nextBytes(random);
    try (LogWriter writer = SampleLog.create(file)) {
      writer.request(1, 0, 0, "k", SampleLog.CODEC.encode(SampleLog.request(0)), List.of());
      writer.request(1, 0, 1, "k", random, List.of());
      writer.request(1, 0, 2, "k", SampleLog.CODEC.encode(SampleLog.request(2)), List.of());
    }
    try (RecordedLog log = RecordedLogs.open(file)) {
      assertThat(SampleLog.all(log.requests()))
          .extracting(each -> each.request() != null)
          .containsExactly(true, false, true);
    }
  }

  @Test
  void cursorOverManyEntries_holdsOneBlock() throws IOException {
    Path file = folder.resolve("a.log");
    int count = 100_000;
    byte[] message = SampleLog.CODEC.encode(SampleLog.request(0));
    try (LogWriter writer = SampleLog.create(file)) {
      for (int i = 0; i < count; i++) {
        writer.request(i, 0, i, "k", message, List.of());
      }
    }
    try (RecordedLog log = RecordedLogs.open(file);
        BlockCursor<RecordedRequest> cursor = (BlockCursor<RecordedRequest>) log.requests()) {
      int read = 0;
      double part = 0;
      for (RecordedRequest each = cursor.next(); each != null; each = cursor.next()) {
        assertThat(each.ordinal()).isEqualTo(read++);
        assertThat(cursor.heldBytes()).isLessThanOrEqualTo(1 << 20);
        assertThat(cursor.part()).isGreaterThanOrEqualTo(part);
        part = cursor.part();
      }
      assertThat(read).isEqualTo(count);
      assertThat(log.requestCount()).hasValue(count);
    }
  }

  /** Checks that what the log gives is the beginning of what was written; returns how much. */
  private static int assertPrefix(RecordedLog log, int where) throws IOException {
    List<RecordedRequest> requests = SampleLog.all(log.requests());
    List<RecordedResult> results = SampleLog.all(log.results());
    for (int i = 0; i < requests.size(); i++) {
      assertThat(requests.get(i).request()).as("at %d", where).isEqualTo(SampleLog.request(i));
    }
    for (int i = 0; i < results.size(); i++) {
      assertThat(results.get(i).result()).as("at %d", where).isEqualTo(SampleLog.result(i));
    }
    for (int i = 0; i < FEW; i++) {
      RecordedSnapshot expected = SampleLog.snapshot(i);
      RecordedSnapshot found = log.snapshot(expected.id());
      if (found != null) {
        assertThat(found.description()).as("at %d", where).isEqualTo(expected.description());
      }
      for (String piece : expected.pieces()) {
        byte[] content = log.piece(piece);
        assertThat(content == null || Arrays.equals(content, SampleLog.content(piece))).isTrue();
      }
    }
    assertThat(log.snapshots("s1")).hasSizeLessThanOrEqualTo(2);
    return requests.size();
  }

  private static void assertEntries(RecordedLog log, int requests, int results) throws IOException {
    List<RecordedRequest> expected = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      expected.add(
          new RecordedRequest(
              i, 1000 + i, SampleLog.session(i), SampleLog.request(i), null, List.of("T" + i)));
    }
    assertThat(SampleLog.all(log.requests())).isEqualTo(expected);
    List<RecordedResult> answers = new ArrayList<>();
    for (int i = 0; i < results; i++) {
      answers.add(new RecordedResult(2000 + i, SampleLog.result(i)));
    }
    assertThat(SampleLog.all(log.results())).isEqualTo(answers);
  }

  private static void assertSnapshot(RecordedLog log, int i) throws IOException {
    RecordedSnapshot expected = SampleLog.snapshot(i);
    RecordedSnapshot found = log.snapshot(expected.id());
    assertThat(found).usingRecursiveComparison().isEqualTo(expected);
    for (String piece : expected.pieces()) {
      assertThat(log.piece(piece)).isEqualTo(SampleLog.content(piece));
    }
  }
}
