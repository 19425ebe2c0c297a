package dev.stepwell.worker.runner;

import dev.stepwell.worker.runner.StepReport.End;
import dev.stepwell.worker.runner.StepReport.Files;
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
 *     |               +-----C, W----+-------------+--> FILES
 *     +--V--> REFUSED |             |             |      |
 *     +-------+-------+------Z------+-------------+------+--> ENDED
 * </pre>
 *
 * Output comes in RUNNING, SAVING and SAVED, what the step shows in RUNNING, what makes up the
 * variables in SAVING, questions for the session's pieces until SAVED.
 */
final class StepTranscript {
  enum Phase {
    RESTORING("ANVZ"),
    REFUSED("Z"),
    RUNNING("OENGVCWZ"),
    SAVING("OENTMSCWZ"),
    SAVED("OECWZ"),
    FILES("CWZ"),
    ENDED("");

    private final String frames;

    Phase(String frames) {
      this.frames = frames;
    }
  }

  private final long outputBytes;
  private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
  private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();
  private final DisplayReport displays = new DisplayReport();
  private final PieceNeeds needs;
  private final StateUpload upload;
  private final FileReport fileReport;
  private final StepClock clock;
  private Phase phase = Phase.RESTORING;
  private boolean started;
  private @Nullable Verdict verdict;
  private State state = State.NONE;
  private @Nullable Files files;
  private @Nullable Fields end;

  StepTranscript(StepTask task, PieceNeeds needs, StepClock clock) {
    this.outputBytes = task.limits().outputBytes();
    this.needs = needs;
    this.upload = new StateUpload(task);
    this.fileReport = new FileReport(task);
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
    byte[] payload = frame.payload();
    switch (frame.type()) {
      case 'A' -> {
        started = true;
        enter(Phase.RUNNING);
      }
      case 'O' -> append(stdout, payload, outputBytes);
      case 'E' -> append(stderr, payload, outputBytes);
      case 'G' -> displays.part(payload);
      case 'N' -> needs.ask(payload);
      case 'T' -> upload.piece(payload);
      case 'M' -> upload.manifest(payload);
      case 'V' -> {
        verdict = Claims.verdict(Fields.parse(payload));
        enter(phase == Phase.RESTORING ? Phase.REFUSED : Phase.SAVING);
      }
      case 'S' -> {
        state = upload.saved(payload);
        enter(Phase.SAVED);
      }
      case 'C' -> {
        enter(Phase.FILES);
        fileReport.content(payload);
      }
      case 'W' -> {
        enter(Phase.FILES);
        fileReport.entries(payload);
      }
      default -> takeEnd(Fields.parse(payload));
    }
  }

  private void takeEnd(Fields fields) throws ChannelViolation {
    Claims.checkEnd(fields);
    String filesFailed = fields.text("filesFailed");
    if (phase == Phase.FILES || filesFailed != null) {
      files = fileReport.ended(filesFailed, fields.number("refused", 0));
    }
    end = fields;
    enter(Phase.ENDED);
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
    return new StepReport(
        started, output, displays.displays(), verdict, state, files, needs.gone(), ended, measures);
  }

  private Output output(long stdoutDroppedBytes, long stderrDroppedBytes) {
    return new Output(
        stdout.toString(StandardCharsets.UTF_8),
        stderr.toString(StandardCharsets.UTF_8),
        stdoutDroppedBytes,
        stderrDroppedBytes);
  }

  private void enter(Phase next) {
    if (phase != next) {
      phase = next;
      clock.entered(next);
    }
  }

  private static void append(ByteArrayOutputStream into, byte[] piece, long limitBytes)
      throws ChannelViolation {
    if (into.size() + (long) piece.length > limitBytes) {
      throw new ChannelViolation("more than the " + limitBytes + " bytes that the step may send");
    }
    into.writeBytes(piece);
  }
}
