package dev.stepwell.cli.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stepwell.cli.log.Tear;
import dev.stepwell.cli.process.ExitCodes;
import dev.stepwell.cli.report.ReportData;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a whole replay has come to; owned by one thread. */
public final class ReplayOutcome {
  final String title;
  final long startedAtMs;
  final long endedAtMs;
  final Summary summary;
  final long orphans;
  final @Nullable Tear tear;

  ReplayOutcome(
      String title,
      long startedAtMs,
      long endedAtMs,
      Summary summary,
      long orphans,
      @Nullable Tear tear) {
    this.title = title;
    this.startedAtMs = startedAtMs;
    this.endedAtMs = endedAtMs;
    this.summary = summary;
    this.orphans = orphans;
    this.tear = tear;
  }

  /** What people read, a line each. */
  public List<String> lines() {
    return ReplayLines.of(this);
  }

  /** What programs read. */
  public ObjectNode json() {
    return ReplayJson.of(this);
  }

  /** What is shown in a browser. */
  public ReportData report() {
    return ReplayPage.of(this);
  }

  long requests() {
    long requests = 0;
    for (Verdict verdict : Verdict.values()) {
      requests += summary.count(verdict);
    }
    return requests;
  }

  /** How the command ends. */
  public int exitCode() {
    boolean missed =
        summary.count(Verdict.COULD_NOT_RUN) + summary.count(Verdict.SKIPPED) > 0
            || requests() == summary.count(Verdict.UNREADABLE);
    if (missed) {
      return ExitCodes.COULD_NOT_RUN;
    }
    return summary.count(Verdict.DIFFERENT) > 0 ? ExitCodes.FAILED : ExitCodes.OK;
  }
}
