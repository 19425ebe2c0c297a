package dev.stepwell.cli.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PlainLogTest {
  @TempDir private Path folder;

  @Test
  void requestsOfOthers_needNoVersionAndNoId() throws IOException {
    try (RecordedLog log =
        open(
            """
            {"kind":"PYTHON","source":"1"}

            {"version":1,"requestId":"mine","sessionId":"s","kind":"PYTHON","source":"2"}
            {"requestId":"x","kind":"PYTHON"}
            no json
            [1]
            {"type":"remark","text":"of a later writer"}
            {"kind":"SHELL","source":"ls","unknown":{"a":[1]}}
            """)) {
      assertThat(log.header()).isEqualTo(LogHeader.PLAIN);
      assertThat(log.requestCount()).isEmpty();
      List<RecordedRequest> all = SampleLog.all(log.requests());
      assertThat(all)
          .extracting(each -> each.request() == null ? "-" : each.request().requestId())
          .containsExactly("line-1", "mine", "-", "-", "-", "line-8");
      assertThat(all).extracting(RecordedRequest::ordinal).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
      assertThat(all)
          .extracting(RecordedRequest::key)
          .containsExactly("line-1", "s", "", "", "", "line-8");
      assertThat(all.get(2).problem()).startsWith("line 4: ").contains("source");
      assertThat(all.get(3).problem()).startsWith("line 5: it is no JSON");
      assertThat(all.get(4).problem()).startsWith("line 6: it is no JSON object");
      assertThat(SampleLog.all(log.results())).isEmpty();
      assertThat(log.snapshots("s")).isEmpty();
      assertThat(log.tear()).isNull();
    }
  }

  @Test
  void requestsBesideTheirResults_areBothRead() throws IOException {
    String first = text(SampleLog.CODEC.encode(SampleLog.request(0)));
    String answer = text(SampleLog.CODEC.encode(SampleLog.result(0)));
    String nameless = answer.replace("\"requestId\":\"r0\",", "").replace("\"version\":1,", "");
    String second = "{\"kind\":\"PYTHON\",\"source\":\"2\"}";
    String lines =
        "{\"request\": %s, \"result\": %s}%n{\"result\": %s, \"request\": %s}%n"
            .formatted(first, answer, nameless, second);
    try (RecordedLog log = open(lines)) {
      assertThat(SampleLog.all(log.requests()))
          .extracting(RecordedRequest::request)
          .extracting(request -> Objects.requireNonNull(request).requestId())
          .containsExactly("r0", "line-2");
      assertThat(SampleLog.all(log.results()))
          .extracting(each -> each.result().requestId())
          .containsExactly("r0", "line-2");
    }
  }

  @Test
  void linesOfALog_mayBeEdited() throws IOException {
    Path whole = folder.resolve("a.log");
    SampleLog.write(whole, 6, 2);
    String edited =
        zcat(whole)
            .lines()
            .filter(line -> !line.contains("\"offset\":3,"))
            .map(line -> line.replace("print('é 4')", "print('x')"))
            .reduce("", (all, line) -> all + line + "\n");
    try (RecordedLog log = open(edited)) {
      List<RecordedRequest> requests = SampleLog.all(log.requests());
      assertThat(requests).extracting(RecordedRequest::key).containsExactly("s0", "s1", "s2", "s1", "s2");
      assertThat(requests.get(3).request()).hasToString(changed(4));
      assertThat(SampleLog.all(log.results())).hasSize(5);
      RecordedSnapshot snapshot = Objects.requireNonNull(log.snapshot(SampleLog.id("snapshot 5")));
      assertThat(log.piece(snapshot.pieces().get(0)))
          .isEqualTo(SampleLog.content(snapshot.pieces().get(0)));
      assertThat(log.snapshots("s1")).extracting(RecordedSnapshot::step).containsExactly(1L, 2L);
    }
  }

  @Test
  void compressedLines_areReadLikeOthers_andTellWhereTheyAreCut() throws IOException {
    Path whole = folder.resolve("a.log");
    SampleLog.write(whole, 6, 2);
    byte[] gzip = gzip(zcat(whole));
    try (RecordedLog log = open(gzip)) {
      assertThat(SampleLog.all(log.requests())).hasSize(6);
      assertThat(log.piece(SampleLog.id("piece 3"))).isEqualTo(SampleLog.content(SampleLog.id("piece 3")));
      assertThat(log.tear()).isNull();
    }
    for (int length = 3; length < gzip.length; length += 7) {
      try (RecordedLog log = open(Arrays.copyOf(gzip, length))) {
        List<RecordedRequest> all = SampleLog.all(log.requests());
        assertThat(all).hasSizeLessThanOrEqualTo(6).allSatisfy(each -> assertThat(each.problem()).isNull());
        assertThat(log.tear()).isNotNull();
      }
    }
  }

  @Test
  void lastLineThatIsCut_isATear() throws IOException {
    String good = "{\"kind\":\"PYTHON\",\"source\":\"1\"}\n";
    try (RecordedLog log = open(good + "{\"kind\":\"PYT")) {
      assertThat(SampleLog.all(log.requests())).hasSize(1);
      assertThat(log.tear()).isEqualTo(new Tear(good.length(), "the file ends within line 2"));
    }
    try (RecordedLog log = open(good + good.strip())) {
      assertThat(SampleLog.all(log.requests())).hasSize(2);
      assertThat(log.tear()).isNull();
    }
  }

  @Test
  void linesOfANewerLog_areRefused() {
    assertThatThrownBy(() -> open("{\"type\":\"log\",\"version\":2}\n"))
        .isInstanceOf(LogVersionException.class)
        .hasMessageContainingAll("version 2", "version 1");
  }

  private static String changed(int i) {
    return SampleLog.request(i).toString().replace("print('é " + i + "')", "print('x')");
  }

  private static String zcat(Path file) throws IOException {
    try (GZIPInputStream in =
        new GZIPInputStream(Files.newInputStream(file))) {
      return text(in.readAllBytes());
    }
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  private RecordedLog open(String lines) throws IOException {
    return open(lines.getBytes(UTF_8));
  }

  private RecordedLog open(byte[] bytes) throws IOException {
    return RecordedLogs.open(Files.write(folder.resolve("lines"), bytes));
  }
}
