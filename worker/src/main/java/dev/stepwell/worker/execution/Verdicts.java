package dev.stepwell.worker.execution;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.ResultError;
import dev.stepwell.protocol.StepKind;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.Value;
import dev.stepwell.worker.runner.StepReport;
import dev.stepwell.worker.runner.StepReport.Verdict;
import dev.stepwell.worker.sandbox.SandboxLimits;
import dev.stepwell.worker.sandbox.SandboxUsage;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a step's outcome is, from what was seen of it and what it says of itself. Stateless.
 *
 * <p>What was seen outranks what was said: limits that struck, then signals, then exit codes. Only
 * of a process that ended in good order does its own word count.
 */
final class Verdicts {
  private static final int SIGKILL = 9;

  /** What a shell makes of a child that was killed: 128 and the signal. */
  private static final int SHELL_SAW_SIGKILL = 128 + SIGKILL;

  private Verdicts() {}

  /** Whether a step that ended so leaves a state: its process came to an end of its own making. */
  static boolean keepsState(Outcome outcome) {
    return switch (outcome) {
      case COMPLETED, FAILED, EXITED -> true;
      case TIMED_OUT, OUT_OF_MEMORY, LIMIT_EXCEEDED, CRASHED, CANCELLED, REJECTED, INFRASTRUCTURE ->
          false;
    };
  }

  /** Why a step that came to its end has left no snapshot. */
  static String whyUnsaved(StepReport report, long saveTimeMs) {
    if (report.end().killedBy() == StepReport.KilledBy.SAVE_LIMIT) {
      return "saving the state took longer than " + saveTimeMs + " ms (setting save.time)";
    }
    String said = report.state().unsaved();
    return said == null ? "the step's process ended before it could save its state" : said;
  }

  /** Writes all that a report tells into the run's draft. */
  static void write(
      StepRun run, Admission.Admitted admitted, StepReport report, SandboxUsage usage) {
    ResultDraft draft = run.draft();
    StepReport.Output output = report.output();
    draft.output(
        output.stdout(),
        output.stderr(),
        new Truncation(output.stdoutDroppedBytes(), output.stderrDroppedBytes()));
    draft.displays(report.displays());
    draft.usage(usage(report, usage));
    if (report.started()) {
      draft.step(run.request().oneShot() ? null : run.number());
    }
    Integer signal = report.end().signal();
    draft.exit(report.end().exitCode(), signal == null ? null : Signals.name(signal));
    claims(draft, report.verdict());
    decide(run, admitted, report, usage);
  }

  private static void claims(ResultDraft draft, @Nullable Verdict verdict) {
    if (verdict != null) {
      Value value = verdict.value();
      ExceptionReport exception = verdict.exception();
      draft.claims(value, exception);
    }
  }

  private static Usage usage(StepReport report, SandboxUsage seen) {
    Double cpuMs = seen.cpuMs() == null ? report.measures().cpuMs() : seen.cpuMs();
    Long peak =
        seen.peakMemoryBytes() == null ? report.measures().maxRssBytes() : seen.peakMemoryBytes();
    return new Usage(cpuMs, peak, seen.enforcement());
  }

  private static void decide(
      StepRun run, Admission.Admitted admitted, StepReport report, SandboxUsage usage) {
    ResultDraft draft = run.draft();
    StepReport.End end = report.end();
    switch (end.killedBy()) {
      case CANCEL -> run.cancelled(report.started());
      case TIME_LIMIT ->
          limit(
              draft,
              Outcome.TIMED_OUT,
              ErrorCode.TIME_LIMIT,
              "the step ran for longer than its "
                  + admitted.limits().wallTimeMs()
                  + " ms (limits.wallTimeMs) and was ended; its output until then is kept");
      case RESTORE_LIMIT ->
          draft.failedBeforeStart(
              ErrorCode.STATE_UNREADABLE,
              "reading the session's state back took too long (setting restore.time)");
      case NONE, SAVE_LIMIT -> ended(run, admitted, report, usage);
    }
  }

  private static void ended(
      StepRun run, Admission.Admitted admitted, StepReport report, SandboxUsage usage) {
    ResultDraft draft = run.draft();
    StepReport.End end = report.end();
    SandboxLimits sandbox = admitted.profile().sandboxLimits();
    Verdict verdict = report.verdict();
    if (usage.memoryKills() > 0 && diedOfKill(report)) {
      outOfMemory(draft, admitted, sandbox);
    } else if (end.lost() != null) {
      draft.error(
          Outcome.INFRASTRUCTURE,
          new ResultError(
              ErrorCode.SANDBOX_LOST,
              "the sandbox was lost while the step ran: " + end.lost(),
              null,
              false));
    } else if (report.stateGone() != null) {
      draft.error(
          Outcome.INFRASTRUCTURE,
          new ResultError(
              ErrorCode.STATE_UNREADABLE,
              "a part of the session's state could not be had while the step ran, so what it did is"
                  + " not what its code would have done; the state is as it was: "
                  + report.stateGone(),
              null,
              false));
    } else if (verdict != null && verdict.restoreError() != null) {
      draft.failedBeforeStart(
          ErrorCode.STATE_UNREADABLE,
          "the session's state can't be read back: " + verdict.restoreError());
    } else if (end.signal() != null && end.killedBy() == StepReport.KilledBy.NONE) {
      limit(
          draft,
          Outcome.CRASHED,
          ErrorCode.PROCESS_DIED,
          "the step's process died of " + Signals.name(end.signal()));
    } else if (verdict != null) {
      believe(draft, admitted, verdict, sandbox);
    } else {
      exited(run, end.exitCode());
    }
  }

  /** Whether the step died as one does that is killed for memory, of which nothing is known yet. */
  static boolean mayBeMemoryKill(StepReport report, SandboxUsage usage) {
    return usage.memoryKills() == 0
        && report.end().killedBy() == StepReport.KilledBy.NONE
        && diedOfKill(report);
  }

  private static boolean diedOfKill(StepReport report) {
    Integer signal = report.end().signal();
    Integer exitCode = report.end().exitCode();
    return report.end().lost() != null
        || (signal != null && signal == SIGKILL)
        || (exitCode != null && exitCode == SHELL_SAW_SIGKILL);
  }

  private static void believe(
      ResultDraft draft, Admission.Admitted admitted, Verdict verdict, SandboxLimits sandbox) {
    if (verdict.limit() != null) {
      switch (verdict.limit()) {
        case MEMORY -> outOfMemory(draft, admitted, sandbox);
        case PROCESSES ->
            limit(
                draft,
                Outcome.LIMIT_EXCEEDED,
                ErrorCode.PROCESS_LIMIT,
                "the step wanted more than the profile's "
                    + sandbox.processes()
                    + " processes and threads");
        case DISK ->
            limit(
                draft,
                Outcome.LIMIT_EXCEEDED,
                ErrorCode.DISK_LIMIT,
                "the step filled one of its folders, which have "
                    + sandbox.diskBytes()
                    + " bytes each");
      }
      return;
    }
    draft.outcome(
        switch (verdict.ending()) {
          case COMPLETED -> Outcome.COMPLETED;
          case EXCEPTION -> Outcome.FAILED;
          case EXIT -> Outcome.EXITED;
        });
  }

  /** A process that said nothing: a command, or Python that went by {@code os._exit}. */
  private static void exited(StepRun run, @Nullable Integer exitCode) {
    boolean command = run.request().kind() != StepKind.PYTHON;
    boolean success = exitCode != null && exitCode == 0;
    run.draft().outcome(command && success ? Outcome.COMPLETED : Outcome.EXITED);
  }

  private static void outOfMemory(
      ResultDraft draft, Admission.Admitted admitted, SandboxLimits sandbox) {
    limit(
        draft,
        Outcome.OUT_OF_MEMORY,
        ErrorCode.MEMORY_LIMIT,
        "the step wanted more memory than its "
            + admitted.limits().memoryBytes()
            + " bytes (limits.memoryBytes), or its sandbox more than "
            + sandbox.memoryBytes());
  }

  private static void limit(ResultDraft draft, Outcome outcome, ErrorCode code, String message) {
    draft.error(outcome, new ResultError(code, message, null, false));
  }
}
