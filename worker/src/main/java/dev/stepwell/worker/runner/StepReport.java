package dev.stepwell.worker.runner;

import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a step went; immutable.
 *
 * @param started whether the step's own code was about to run, so that it may have had effects
 * @param output what it printed
 * @param displays what it showed, in that order; like the verdict its process's own word
 * @param verdict what its process said of itself; null if it ended without a word
 * @param state the variables that it left; {@link State#NONE} if it left none
 * @param files what became of the workspace; null if that was not told
 * @param stateGone why the step was not given a part of its state that it asked for while it ran;
 *     null if it had all. What it did then is not what its code would have done.
 * @param end how its process ended
 * @param measures what it took
 */
public record StepReport(
    boolean started,
    Output output,
    List<Value> displays,
    @Nullable Verdict verdict,
    State state,
    @Nullable Files files,
    @Nullable String stateGone,
    End end,
    Measures measures) {
  public StepReport {
    displays = List.copyOf(displays);
  }

  /**
   * Standard output and standard error as text, each cut at the limit.
   *
   * @param stdoutDroppedBytes how many bytes came after the limit; 0 is also what an unknown number
   *     is told as, when a sandbox was lost
   * @param stderrDroppedBytes likewise
   */
  public record Output(
      String stdout, String stderr, long stdoutDroppedBytes, long stderrDroppedBytes) {}

  /** How a step's source came to its end. */
  public enum Ending {
    /** It ran through. */
    COMPLETED,
    /** An exception left it. */
    EXCEPTION,
    /** It called for its own exit. */
    EXIT
  }

  /** The limit of the sandbox that the exception of a step stands for. */
  public enum Limit {
    /** Memory. */
    MEMORY,
    /** Processes and threads. */
    PROCESSES,
    /** Disk space. */
    DISK
  }

  /**
   * What a step's process claims; the step's code can forge all of it.
   *
   * @param ending how the source ended
   * @param value the last expression's value; null for none
   * @param exception what left the source; null unless {@code ending} is EXCEPTION
   * @param limit what the exception stands for; null for none
   * @param restoreError why the snapshot could not be read, in which case no code ran; null if it
   *     could
   */
  public record Verdict(
      Ending ending,
      @Nullable Value value,
      @Nullable ExceptionReport exception,
      @Nullable Limit limit,
      @Nullable String restoreError) {}

  /**
   * The variables that a step leaves. Its new pieces have gone to {@link StepState#newPieces()}.
   *
   * @param body the runner's description of them, opaque
   * @param refs what the description's table of pieces is made of: r >= 0 is the place r of the
   *     table that the step was given, r < 0 is the new piece number -r-1, counted from 0. Every
   *     one is checked to exist.
   * @param eager places in {@code refs} of pieces that every step will want, ascending
   * @param kept how many names there are
   * @param liveBytes size of the variables: the body and every piece of the table, once
   * @param lost what is not kept
   * @param unsaved why there are no variables where some were wanted, if anybody said so; else null
   * @param saved whether there are new variables
   */
  @SuppressWarnings("ArrayRecordComponent") // Passed on, never compared.
  public record State(
      byte[] body,
      List<Integer> refs,
      List<Integer> eager,
      int kept,
      long liveBytes,
      List<LostValue> lost,
      @Nullable String unsaved,
      boolean saved) {
    /** No new variables. */
    public static final State NONE =
        new State(new byte[0], List.of(), List.of(), 0, 0, List.of(), null, false);

    public State {
      refs = List.copyOf(refs);
      eager = List.copyOf(eager);
      lost = List.copyOf(lost);
    }

    static State unsaved(String why) {
      return new State(new byte[0], List.of(), List.of(), 0, 0, List.of(), why, false);
    }
  }

  /**
   * What became of the workspace, seen by the supervisor after everything else in the sandbox had
   * ended. New content has gone to {@link StepState#newContent()}.
   *
   * @param changes every difference from what the step was given, and no more. An entry takes the
   *     place of whatever had its path before; a folder that was one before keeps what is in it.
   *     {@link FileEntry.Refused} ones only inform, at most 200 of them: what had such a path
   *     before is {@link FileEntry.Removed} besides.
   * @param refused how many entries were refused in all
   * @param failed why the changes could not be told or kept, in which case there are none here;
   *     else null
   */
  public record Files(List<FileEntry> changes, long refused, @Nullable String failed) {
    public Files {
      changes = List.copyOf(changes);
    }

    static Files failed(String why) {
      return new Files(List.of(), 0, why);
    }
  }

  /** What of the worker ended a step. */
  public enum KilledBy {
    /** Nothing: it ended by itself. */
    NONE,
    /** Its wall-clock limit. */
    TIME_LIMIT,
    /** The bound on reading its snapshot back. Its code has not run. */
    RESTORE_LIMIT,
    /** The bound on saving its state. Its verdict stands. */
    SAVE_LIMIT,
    /** {@link ReadyRunner#kill()}. */
    CANCEL
  }

  /**
   * How a step's process ended.
   *
   * @param exitCode null if a signal ended it, or nobody knows
   * @param signal null if it exited, or nobody knows
   * @param killedBy why the worker ended it
   * @param lost why nobody knows: the sandbox vanished, or broke the channel's rules. Null if its
   *     end was seen, and for what the worker killed.
   */
  public record End(
      @Nullable Integer exitCode,
      @Nullable Integer signal,
      KilledBy killedBy,
      @Nullable String lost) {}

  /**
   * What a step took.
   *
   * @param restoreMs from the hand-over until its code was about to run, milliseconds
   * @param ranMs until it had ended, milliseconds
   * @param saveMs until its variables were there, and what became of its files, milliseconds
   * @param cpuMs processor time of the step's process and of those it waited for; null if unknown
   * @param maxRssBytes the most memory one of them held; null if unknown
   */
  public record Measures(
      double restoreMs,
      double ranMs,
      double saveMs,
      @Nullable Double cpuMs,
      @Nullable Long maxRssBytes) {}
}
