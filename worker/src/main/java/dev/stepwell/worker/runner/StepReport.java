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
 * @param verdict what its process said of itself; null if it ended without a word
 * @param state what it left; {@link State#NONE} if it left nothing
 * @param end how its process ended
 * @param measures what it took
 */
public record StepReport(
    boolean started,
    Output output,
    @Nullable Verdict verdict,
    State state,
    End end,
    Measures measures) {

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
   * The state that a step leaves.
   *
   * @param snapshot the new snapshot; null if there is none
   * @param kept how many names it holds
   * @param lost what it doesn't hold
   * @param unsaved why there is no snapshot where one was wanted, if the step's process said so;
   *     else null
   */
  @SuppressWarnings("ArrayRecordComponent") // Snapshots are passed on, never compared.
  public record State(
      byte @Nullable [] snapshot, int kept, List<LostValue> lost, @Nullable String unsaved) {
    /** No new state. */
    public static final State NONE = new State(null, 0, List.of(), null);

    public State {
      lost = List.copyOf(lost);
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
   * @param saveMs until its snapshot was there, milliseconds
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
