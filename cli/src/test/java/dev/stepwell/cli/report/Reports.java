package dev.stepwell.cli.report;

import dev.stepwell.cli.report.ReportData.Kind;
import dev.stepwell.cli.report.ReportData.Row;
import dev.stepwell.cli.report.ReportData.Side;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Reports to test with: always the same, and full of what a page must not trust. */
final class Reports {
  static final long STARTED_AT_MS = 1_790_000_000_000L;

  /** Leaves its element, and runs a script in every way that a page may be made to. */
  static final String HOSTILE =
      "</script><img src=x onerror=\"window.pwned=1\"><script>window.pwned=2</script><svg/onload=pwned=3>";

  /** What changes or hides what is beside it. */
  static final String UNSEEN =
      "\u001b[31mred\u001b[0m \u0000nul \u202eesrever\u202c \u2028 \u2029 \u200b \ud83d half, whole \ud83d\ude00 \r\n\u0085";

  static final String LONG_LINE = "x".repeat(500_000) + HOSTILE + "y".repeat(500_000);

  private Reports() {}

  /** 5000 rows: 2500 tasks of two samples each. */
  static ReportData evaluation() {
    Random random = new Random(5);
    SliceCollector slices = new SliceCollector(STARTED_AT_MS);
    List<Row> rows = new ArrayList<>();
    Map<String, Long> counts = new LinkedHashMap<>(Map.of("passed", 0L));
    counts.put("failed", 0L);
    counts.put("infrastructure", 0L);
    for (int index = 0; index < 5000; index++) {
      String status = status(index);
      double queued = 2 + random.nextInt(30);
      double latency = queued + 8 + 12 * Math.exp(random.nextGaussian());
      slices.add(STARTED_AT_MS + index * 25L, latency, queued);
      counts.merge(status, 1L, Long::sum);
      rows.add(sample(index, status, latency, queued));
    }
    rows.set(3, hostile(rows.get(3)));
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("pass@1", "0.873");
    facts.put("pass@10", "0.941");
    facts.put("results a second", "39.8");
    facts.put("workers " + HOSTILE, HOSTILE);
    return new ReportData(
        Kind.EVALUATION,
        "HumanEval.jsonl " + HOSTILE,
        STARTED_AT_MS,
        125_400,
        facts,
        List.of("12 tasks have no verdict.", HOSTILE + UNSEEN),
        counts,
        rows,
        slices.slices());
  }

  private static String status(int index) {
    return index % 97 == 0 ? "infrastructure" : index % 8 == 3 ? "failed" : "passed";
  }

  private static Row sample(int index, String status, double latency, double queued) {
    boolean passed = status.equals("passed");
    return new Row(
        "HumanEval/" + index / 2 + "#" + index % 2,
        "HumanEval/" + index / 2,
        status,
        passed ? "completed" : "failed",
        passed ? null : "AssertionError: candidate([1, 2, 3]) == " + index,
        latency,
        queued,
        null,
        1,
        "def candidate(xs):\n    return sum(xs) + "
            + index
            + "\n\nassert candidate([1, 2, 3]) == 6\n",
        passed
            ? ""
            : "Traceback (most recent call last):\n  File \"<step>\", line 4\nAssertionError\n",
        List.of());
  }

  private static Row hostile(Row row) {
    return new Row(
        row.id() + HOSTILE,
        HOSTILE,
        "failed",
        HOSTILE,
        HOSTILE + UNSEEN,
        9_876.5,
        1_234,
        null,
        3,
        HOSTILE + "\n" + UNSEEN,
        LONG_LINE + "\n" + UNSEEN,
        List.of());
  }

  /** 400 requests of 100 sessions, some of them different in every type. */
  static ReportData replay() {
    Random random = new Random(7);
    SliceCollector slices = new SliceCollector(STARTED_AT_MS);
    LogHistogram recorded = new LogHistogram();
    List<Row> rows = new ArrayList<>();
    Map<String, Long> counts = new LinkedHashMap<>();
    for (String status : List.of("same", "different", "not compared", "could not run")) {
      counts.put(status, 0L);
    }
    for (int index = 0; index < 400; index++) {
      double before = 20 + random.nextInt(60);
      double now = before * (0.7 + random.nextDouble());
      recorded.add(before);
      slices.add(STARTED_AT_MS + index * 110L, now, now / 3);
      Row row = request(index, before, now);
      counts.merge(row.status(), 1L, Long::sum);
      rows.add(row);
    }
    return new ReportData(
        Kind.REPLAY,
        "agents-2026-09.swlog",
        STARTED_AT_MS,
        44_000,
        Map.of("speed", "max"),
        List.of("The log is torn at byte 1,234,567; what is before it was replayed."),
        counts,
        rows,
        slices.slices(),
        List.of(
            new ReportData.Timing("total", recorded.quantiles(), slices.latency().quantiles())));
  }

  private static Row request(int index, double before, double now) {
    List<Side> differences = differences(index);
    String status =
        !differences.isEmpty()
            ? "different"
            : index % 50 == 9 ? "could not run" : index % 60 == 11 ? "not compared" : "same";
    String group = "session-" + index / 4;
    return new Row(
        group + " step " + (index % 4 + 1),
        group,
        status,
        status.equals("could not run") ? null : "completed",
        status.equals("could not run") ? "profile 'gpu' isn't there" : null,
        now,
        now / 3,
        before,
        1,
        "print(df.describe())",
        "count 3\nmean 2.0\n",
        differences);
  }

  private static List<Side> differences(int index) {
    return switch (index % 40) {
      case 5 -> List.of(new Side("STDOUT", "line 2", twelve("mean 2.0"), twelve("mean 2.5")));
      case 6 ->
          List.of(
              new Side("VALUE", "value", "array([1., 2.])", "array([1.0, 2.0])"),
              new Side("STATE", "variable df", "DataFrame 3 x 2", null));
      case 17 ->
          List.of(
              new Side("STDERR", "line 1", "Warning: " + LONG_LINE + " old", LONG_LINE + " new"));
      case 28 -> List.of(new Side("EXCEPTION", HOSTILE, HOSTILE + UNSEEN, HOSTILE));
      default -> List.of();
    };
  }

  private static String twelve(String changed) {
    StringBuilder text = new StringBuilder("count 3\n" + changed + "\nstd 1.0");
    for (int line = 4; line <= 12; line++) {
      text.append("\nline ").append(line);
    }
    return text.toString();
  }
}
