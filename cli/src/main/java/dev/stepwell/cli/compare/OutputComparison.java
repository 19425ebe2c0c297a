package dev.stepwell.cli.compare;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares an output stream line by line. Stateless. */
final class OutputComparison {
  private OutputComparison() {}

  /**
   * Compares one stream.
   *
   * @param recordedLeftOut bytes that were left out at the recorded end
   * @param replayedLeftOut the same of the replay
   */
  static void compare(
      Difference.Type type,
      Part part,
      String recorded,
      long recordedLeftOut,
      String replayed,
      long replayedLeftOut,
      Findings findings) {
    if (findings.rules().ignores(part)) {
      return;
    }
    String one = recorded;
    String other = findings.renamed(replayed);
    if (recordedLeftOut != replayedLeftOut) {
      int shorter = Math.min(one.length(), other.length());
      one = wholeLines(one, shorter);
      other = wholeLines(other, shorter);
    }
    if (!one.equals(other)) {
      lines(type, new Lines(one, findings, part), new Lines(other, findings, part), findings);
    }
  }

  /** What is left of an output up to a limit, without the line that the limit cut. */
  private static String wholeLines(String text, int limit) {
    String kept = text.substring(0, limit);
    int end = kept.lastIndexOf('\n');
    return end < 0 ? kept : kept.substring(0, end + 1);
  }

  /** A text's lines as they are compared and as they are shown; immutable. */
  private static final class Lines {
    private final List<String> compared;
    private final List<String> shown;

    Lines(String text, Findings findings, Part part) {
      this.compared = split(findings.rules().normalise(part, text));
      List<String> raw = split(text);
      // An expression may have taken ends of lines away.
      this.shown = raw.size() == compared.size() ? raw : compared;
    }

    private static List<String> split(String text) {
      return List.of(text.split("\n", -1));
    }

    @Nullable String show(int from, int to) {
      return from == to ? null : String.join("\n", shown.subList(from, to));
    }
  }

  private static void lines(Difference.Type type, Lines one, Lines other, Findings findings) {
    for (LineDiff.Block block : LineDiff.of(one.compared, other.compared)) {
      boolean inserted = block.recordedFrom() == block.recordedTo();
      int from = inserted ? block.replayedFrom() : block.recordedFrom();
      int to = inserted ? block.replayedTo() : block.recordedTo();
      findings.add(
          type,
          to - from == 1 ? "line " + to : "lines %d-%d".formatted(from + 1, to),
          one.show(block.recordedFrom(), block.recordedTo()),
          other.show(block.replayedFrom(), block.replayedTo()));
    }
  }
}
