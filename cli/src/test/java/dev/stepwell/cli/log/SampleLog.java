package dev.stepwell.cli.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.StepKind;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.codec.MessageCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Writes logs whose entries tell which they are. */
final class SampleLog {
  static final LogOrigin ORIGIN = new LogOrigin("c1", "stepwell", 4, "earliest", "latest");
  static final MessageCodec CODEC = new MessageCodec();

  private SampleLog() {}

  static LogWriter create(Path file) throws IOException {
    return LogWriter.create(file, 1700, ORIGIN, List.of("addresses", "/a b/"), false);
  }

  /** So many requests with results, in blocks of a few, and a snapshot with two pieces for each. */
  static void write(Path file, int count, int aBlock) throws IOException {
    try (LogWriter writer = create(file)) {
      for (int i = 0; i < count; i++) {
        writer.request(1000 + i, i % 4, i, session(i), CODEC.encode(request(i)), List.of("T" + i));
        writer.result(2000 + i, i % 4, i, "r" + i, CODEC.encode(result(i)));
        writer.snapshot(snapshot(i));
        for (String piece : snapshot(i).pieces()) {
          writer.piece(piece, content(piece));
        }
        if (i % aBlock == aBlock - 1) {
          writer.flush();
        }
      }
      writer.counts(new LogCounts(3, 0, 1, false));
    }
  }

  static String session(int i) {
    return "s" + i % 3;
  }

  static ExecutionRequest request(int i) {
    return new ExecutionRequest(
        "r" + i,
        session(i),
        StepKind.PYTHON,
        "print('é " + i + "')\n",
        List.of(),
        null,
        null,
        RequestLimits.DEFAULTS,
        Map.of("T" + i, "x\"y"),
        null,
        null);
  }

  static ExecutionResult result(int i) {
    return new ExecutionResult(
        "r" + i,
        session(i),
        1L + i / 3,
        Outcome.COMPLETED,
        0,
        null,
        "é " + i + "\n",
        "",
        new Truncation(0, 0),
        null,
        null,
        null,
        null,
        new Timings(1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
        new Usage(1.0, 1L, "none"),
        "w",
        "b" + i,
        1);
  }

  /** Of the step of a request; every other one shares its second piece with the one before. */
  static RecordedSnapshot snapshot(int i) {
    return new RecordedSnapshot(
        session(i),
        1L + i / 3,
        id("snapshot " + i),
        ("description " + i).getBytes(UTF_8),
        List.of(id("piece " + i), id("shared " + i / 2)));
  }

  /** Bytes that are the piece's own. */
  static byte[] content(String piece) {
    byte[] content = new byte[40];
    new Random(piece.hashCode()).nextBytes(content);
    return content;
  }

  static String id(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  static <T> List<T> all(RecordedLog.Cursor<T> cursor) throws IOException {
    List<T> all = new ArrayList<>();
    try (cursor) {
      for (T each = cursor.next(); each != null; each = cursor.next()) {
        all.add(each);
      }
    }
    return all;
  }
}
