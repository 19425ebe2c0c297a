package dev.stepwell.cli.compare;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.StateReport;
import dev.stepwell.protocol.Truncation;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares how a step ended and which limits it met, and its exception. Stateless. */
final class OutcomeComparison {
  private static final Set<ErrorCode> LIMITS =
      EnumSet.of(
          ErrorCode.TIME_LIMIT,
          ErrorCode.MEMORY_LIMIT,
          ErrorCode.PROCESS_LIMIT,
          ErrorCode.DISK_LIMIT,
          ErrorCode.LIMIT_BEYOND_PROFILE,
          ErrorCode.MESSAGE_TOO_LARGE);

  /** What the runner says of a value that is beyond one of the caps on state. */
  private static final String OF_A_CAP = "is limited to ";

  private static final String MET = "met";
  private static final String NOT_MET = "not met";

  private OutcomeComparison() {}

  static void compare(ExecutionResult recorded, ExecutionResult replayed, Findings findings) {
    limits(recorded, replayed, findings);
    findings.exact(Difference.Type.OUTCOME, "outcome", recorded.outcome(), replayed.outcome());
    findings.exact(Difference.Type.OUTCOME, "exit code", recorded.exitCode(), replayed.exitCode());
    findings.exact(Difference.Type.OUTCOME, "signal", recorded.signal(), replayed.signal());
    ErrorCode before = code(recorded);
    ErrorCode now = code(replayed);
    if (!isLimit(before) && !isLimit(now)) {
      findings.exact(Difference.Type.OUTCOME, "error", before, now);
    }
  }

  private static @Nullable ErrorCode code(ExecutionResult result) {
    return result.error() == null ? null : result.error().code();
  }

  private static boolean isLimit(@Nullable ErrorCode code) {
    return code != null && LIMITS.contains(code);
  }

  private static void limits(
      ExecutionResult recorded, ExecutionResult replayed, Findings findings) {
    ErrorCode before = code(recorded);
    ErrorCode now = code(replayed);
    if (before != now) {
      for (ErrorCode limit : LIMITS) {
        if (limit == before || limit == now) {
          findings.add(
              Difference.Type.LIMIT,
              limit.name(),
              limit == before ? MET : NOT_MET,
              limit == now ? MET : NOT_MET);
        }
      }
    }
    Truncation cut = recorded.truncation();
    Truncation cutNow = replayed.truncation();
    truncation(Part.STDOUT, cut.stdoutBytes(), cutNow.stdoutBytes(), findings);
    truncation(Part.STDERR, cut.stderrBytes(), cutNow.stderrBytes(), findings);
    caps(recorded.state(), replayed.state(), findings);
  }

  private static void truncation(Part part, long recorded, long replayed, Findings findings) {
    if (recorded != replayed && !findings.rules().ignores(part)) {
      findings.add(
          Difference.Type.LIMIT,
          "output limit of " + part.written(),
          leftOut(recorded),
          leftOut(replayed));
    }
  }

  private static String leftOut(long bytes) {
    return bytes == 0 ? NOT_MET : bytes + " bytes left out";
  }

  private static void caps(
      @Nullable StateReport recorded, @Nullable StateReport replayed, Findings findings) {
    String before = beyondCap(recorded, findings);
    String now = beyondCap(replayed, findings);
    if (!Objects.equals(before, now)) {
      findings.add(
          Difference.Type.LIMIT,
          "size of the state",
          before == null ? NOT_MET : before,
          now == null ? NOT_MET : now);
    }
  }

  private static @Nullable String beyondCap(@Nullable StateReport state, Findings findings) {
    if (state == null || findings.rules().ignores(Part.STATE)) {
      return null;
    }
    Set<String> beyond = new TreeSet<>();
    for (LostValue lost : state.lost()) {
      if (lost.reason().contains(OF_A_CAP) && !findings.rules().ignoresVariable(lost.name())) {
        beyond.add(lost.path());
      }
    }
    return beyond.isEmpty() ? null : "met for " + String.join(", ", beyond);
  }

  static void exception(
      @Nullable ExceptionReport recorded, @Nullable ExceptionReport replayed, Findings findings) {
    if (recorded == null || replayed == null) {
      findings.exact(Difference.Type.EXCEPTION, "exception", oneLine(recorded), oneLine(replayed));
      return;
    }
    findings.exact(Difference.Type.EXCEPTION, "name", recorded.name(), replayed.name());
    if (!findings.rules().ignores(Part.EXCEPTION)) {
      findings.texts(
          Difference.Type.EXCEPTION,
          "message",
          Part.EXCEPTION,
          recorded.message(),
          replayed.message());
    }
    findings.exact(Difference.Type.EXCEPTION, "line", recorded.line(), replayed.line());
    traceback(recorded, replayed, findings);
  }

  /** The traceback ends with the message, which has been compared. */
  private static void traceback(
      ExceptionReport recorded, ExceptionReport replayed, Findings findings) {
    if (findings.rules().ignores(Part.TRACEBACK)) {
      return;
    }
    findings.texts(
        Difference.Type.EXCEPTION,
        "traceback",
        Part.TRACEBACK,
        withoutMessage(recorded, recorded.message()),
        withoutMessage(replayed, replayed.message()));
  }

  private static String withoutMessage(ExceptionReport report, String message) {
    String text = report.traceback().stripTrailing();
    String end = message.stripTrailing();
    return !end.isEmpty() && text.endsWith(end)
        ? text.substring(0, text.length() - end.length())
        : text;
  }

  private static @Nullable String oneLine(@Nullable ExceptionReport report) {
    return report == null ? null : report.name() + ": " + report.message();
  }
}
