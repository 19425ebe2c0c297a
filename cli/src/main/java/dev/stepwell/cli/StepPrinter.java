package dev.stepwell.cli;

import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.Value;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;

/** Prints steps and their results for people; owned by the command's thread. */
final class StepPrinter {
  private static final int WIDTH = 72;
  private static final int LABEL_WIDTH = 9;

  private final PrintWriter out;
  private final boolean colours;

  StepPrinter(PrintWriter out, boolean colours) {
    this.out = out;
    this.colours = colours;
  }

  /** The line that a step begins with, and what it runs. */
  void step(String title, String source) {
    out.println();
    out.println(styled("bold", title));
    for (String line : source.stripTrailing().split("\n", -1)) {
      out.println(styled("faint", "  > " + Printable.of(line)));
    }
    out.flush();
  }

  /** What became of it. */
  void result(ExecutionResult result) {
    String outcome = styled(colour(result.outcome()), result.outcome().name());
    out.println("  " + padded("outcome") + outcome + ended(result));
    text("stdout", result.stdout());
    omitted(result.truncation().stdoutBytes());
    text("stderr", result.stderr());
    omitted(result.truncation().stderrBytes());
    if (result.value() != null) {
      text("value", result.value().text());
    }
    result.displays().forEach(this::display);
    if (result.exception() != null) {
      text("error", result.exception().traceback());
    }
    if (result.error() != null) {
      text("reason", result.error().message());
    }
    if (result.state() != null) {
      result.state().lost().forEach(this::lost);
    }
    out.println("  " + padded("sandbox") + sandbox(result));
    out.println("  " + padded("time") + times(result.timings()) + usage(result.usage()));
    out.flush();
  }

  /** A line across the page. */
  void rule() {
    out.println();
    out.println(styled("faint", "─".repeat(WIDTH)));
  }

  String styled(String style, String text) {
    if (!colours) {
      return text;
    }
    Ansi.IStyle[] styles = Ansi.Style.parse(style);
    return Ansi.Style.on(styles) + text + Ansi.Style.off(styles);
  }

  private static String colour(Outcome outcome) {
    return switch (outcome) {
      case COMPLETED -> "green";
      case FAILED, EXITED, CANCELLED -> "yellow";
      case TIMED_OUT, OUT_OF_MEMORY, LIMIT_EXCEEDED, CRASHED, REJECTED, INFRASTRUCTURE -> "red";
    };
  }

  private static String ended(ExecutionResult result) {
    if (result.signal() != null) {
      return " by " + result.signal();
    }
    boolean telling = result.exitCode() != null && result.outcome() == Outcome.EXITED;
    return telling ? " with " + result.exitCode() : "";
  }

  private void text(String label, String text) {
    if (text.isEmpty()) {
      return;
    }
    String name = label;
    for (String line : text.stripTrailing().split("\n", -1)) {
      out.println("  " + padded(name) + Printable.of(line));
      name = "";
    }
  }

  private void omitted(long bytes) {
    if (bytes > 0) {
      out.println("  " + padded("") + styled("faint", "(" + bytes + " bytes more left out)"));
    }
  }

  /**
   * What kinds of it there are, and how large each is in the result; its text where that is all.
   */
  private void display(Value display) {
    String forms =
        new TreeMap<>(display.mime())
            .entrySet().stream()
                .map(form -> form.getKey() + " " + utf8Bytes(form.getValue()) + " bytes")
                .collect(Collectors.joining(" · "));
    String line = display.text().lines().findFirst().orElse("");
    text("display", forms.isEmpty() ? line + " (no forms)" : forms);
  }

  private static int utf8Bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private void lost(LostValue lost) {
    String hint = lost.hint() == null ? "" : "; " + lost.hint();
    text("lost", lost.path() + " (" + lost.type() + "): " + lost.reason() + hint);
  }

  private static String sandbox(ExecutionResult result) {
    String id = result.sandboxId() == null ? "none" : result.sandboxId();
    return result.attempt() == 1 ? id : id + " (attempt " + result.attempt() + ")";
  }

  private static String times(Timings timings) {
    List<String> parts = new ArrayList<>();
    parts.add(phase("ran", timings.ranMs()));
    parts.add(phase("queued", timings.queuedMs()));
    parts.add(phase("acquired", timings.acquiredMs()));
    parts.add(phase("restored", timings.restoredMs()));
    parts.add(phase("saved", timings.savedMs()));
    parts.add(phase("committed", timings.committedMs()));
    return String.join(" · ", parts);
  }

  private static String phase(String name, double ms) {
    return "%s %.1f ms".formatted(name, ms);
  }

  private static String usage(Usage usage) {
    String cpu = usage.cpuMs() == null ? "" : " · cpu %.1f ms".formatted(usage.cpuMs());
    String memory =
        usage.peakMemoryBytes() == null
            ? ""
            : String.format(Locale.ROOT, " · peak %.1f MB", usage.peakMemoryBytes() / 1e6);
    return cpu + memory;
  }

  private static String padded(String label) {
    return label + " ".repeat(LABEL_WIDTH - label.length());
  }
}
