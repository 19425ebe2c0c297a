package dev.stepwell.worker.runner;

import dev.stepwell.worker.runner.StepReport.End;
import dev.stepwell.worker.runner.StepReport.KilledBy;
import dev.stepwell.worker.runner.StepReport.Measures;
import dev.stepwell.worker.runner.StepReport.Output;
import dev.stepwell.worker.runner.StepReport.State;
import dev.stepwell.worker.runner.StepReport.Verdict;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a sandbox has said of a step so far, checked for order and size. Owned by the thread that
 * runs the step.
 *
 * <pre>
 * RESTORING --A--> RUNNING --V--> SAVING --S--> SAVED
 *     |               |             |             |
 *     +--V--> REFUSED |             |             |
 *     +-------+-------+------Z------+-------------+--> ENDED
 * </pre>
 *
 * Output comes in RUNNING, SAVING and SAVED, pieces of the snapshot in SAVING.
 */
final class StepTranscript {
  enum Phase {
    RESTORING("AVZ"),
    REFUSED("Z"),
    RUNNING("OEVZ"),
    SAVING("OETSZ"),
    SAVED("OEZ"),
    ENDED("");

    private final String frames;

    Phase(String frames) {
      this.frames = frames;
    }
  }

  private final long outputBytes;
  private final long stateBytes;
  private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
  private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();
  private final ByteArrayOutputStream pieces = new ByteArrayOutputStream();
  private final StepClock clock;
  private Phase phase = Phase.RESTORING;
  private boolean started;
  private @Nullable Verdict verdict;
  private State state = State.NONE;
  private @Nullable Fields end;

  StepTranscript(StepTask task, StepClock clock) {
    this.outputBytes = task.limits().outputBytes();
    this.stateBytes = task.stateBytes();
    this.clock = clock;
  }

  Phase phase() {
    return phase;
  }

  boolean started() {
    return started;
  }

  /**
   * Takes the next frame in.
   *
   * @throws ChannelViolation if it is not its turn, or more than the step may say
   */
  void take(Frame frame) throws ChannelViolation {
    if (phase.frames.indexOf(frame.type()) < 0) {
      throw new ChannelViolation("a frame " + frame.type() + " while " + phase);
    }
    switch (frame.type()) {
      case 'A' -> {
        started = true;
        enter(Phase.RUNNING);
      }
      case 'O' -> append(stdout, frame.payload(), outputBytes);
      case 'E' -> append(stderr, frame.payload(), outputBytes);
      case 'T' -> append(pieces, frame.payload(), stateBytes);
      case 'V' -> {
        verdict = Claims.verdict(Fields.parse(frame.payload()));
        enter(phase == Phase.RESTORING ? Phase.REFUSED : Phase.SAVING);
      }
      case 'S' -> {
        state = Claims.state(Fields.parse(frame.payload()), pieces.toByteArray());
        enter(Phase.SAVED);
      }
      default -> {
        Fields fields = Fields.parse(frame.payload());
        Claims.checkEnd(fields);
        end = fields;
        enter(Phase.ENDED);
      }
    }
  }

  /** The report of a step that ended. */
  StepReport ended(KilledBy killedBy) throws ChannelViolation {
    Fields fields = end == null ? Fields.parse(new byte[0]) : end;
    // Asked to end a step that was ending by itself, the supervisor says that it didn't have to.
    KilledBy killer = fields.number("killed", 0) == 0 ? KilledBy.NONE : killedBy;
    End ended =
        new End(Claims.integer(fields, "exitCode"), Claims.integer(fields, "signal"), killer, null);
    Long cpuUs = fields.number("cpuUs");
    Measures measures =
        clock.measures(cpuUs == null ? null : cpuUs / 1000.0, fields.number("maxRssBytes"));
    return report(
        output(fields.number("stdoutDropped", 0), fields.number("stderrDropped", 0)),
        ended,
        measures);
  }

  /** The report of a step whose end nobody saw. */
  StepReport cutOff(KilledBy killedBy, @Nullable String lost) {
    return report(output(0, 0), new End(null, null, killedBy, lost), clock.measures(null, null));
  }

  private StepReport report(Output output, End ended, Measures measures) {
    return new StepReport(started, output, verdict, state, ended, measures);
  }

  private Output output(long stdoutDroppedBytes, long stderrDroppedBytes) {
    return new Output(
        stdout.toString(StandardCharsets.UTF_8),
        stderr.toString(StandardCharsets.UTF_8),
        stdoutDroppedBytes,
        stderrDroppedBytes);
  }

  private void enter(Phase next) {
    phase = next;
    clock.entered(next);
  }

  private static void append(ByteArrayOutputStream into, byte[] piece, long limitBytes)
      throws ChannelViolation {
    if (into.size() + (long) piece.length > limitBytes) {
      throw new ChannelViolation("more than the " + limitBytes + " bytes that the step may send");
    }
    into.writeBytes(piece);
  }
}
