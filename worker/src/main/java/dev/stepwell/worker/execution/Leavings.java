package dev.stepwell.worker.execution;

import dev.stepwell.protocol.Artifact;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.StepKind;
import dev.stepwell.worker.runner.StepReport;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.snapshot.Making;
import dev.stepwell.worker.snapshot.SessionVariables;
import dev.stepwell.worker.state.SnapshotException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in what a step left: its variables and files become the session's next snapshot, both or
 * neither, and the files asked for go into its result. Immutable and thread-safe.
 *
 * <p>The code has run by now, so nothing here is tried again: what fails is told in the result.
 */
final class Leavings {
  private static final Logger log = LoggerFactory.getLogger(Leavings.class);

  private final Artifacts artifacts;
  private final long saveTimeMs;
  private final Clock clock;

  Leavings(StateParts state, long saveTimeMs, Clock clock) {
    this.artifacts = new Artifacts(state.pieces());
    this.saveTimeMs = saveTimeMs;
    this.clock = clock;
  }

  void take(StepRun run, Admission.Admitted admitted, StepReport report, Checkout checkout)
      throws InterruptedException {
    boolean keeps = Verdicts.keepsState(run.draft().outcome());
    List<LostValue> lost = new ArrayList<>(report.state().lost());
    StepReport.Files files = report.files();
    boolean filesTold = false;
    if (keeps && files != null && files.failed() == null) {
      checkout.apply(files, lost);
      filesTold = true;
    }
    boolean kept = false;
    if (keeps && !run.request().oneShot() && admitted.limits().stateBytes() > 0) {
      kept = keep(run, admitted.profile(), report, checkout, lost);
    }
    if (!run.request().artifacts().isEmpty()) {
      try {
        run.draft().artifacts(artifacts(run.request(), checkout, filesTold, kept));
      } catch (InterruptedException e) {
        run.discard();
        throw e;
      }
    }
  }

  private boolean keep(
      StepRun run, Profile profile, StepReport report, Checkout checkout, List<LostValue> lost)
      throws InterruptedException {
    String problem = problem(run.request(), report, lost);
    if (problem != null) {
      run.unsaved(problem, lost);
      return false;
    }
    SessionVariables variables =
        run.request().kind() == StepKind.PYTHON
            ? checkout.variables(report.state(), profile.image())
            : checkout.variables();
    Making making =
        new Making(
            run.number(),
            run.request().requestId(),
            run.draft().outcome().name(),
            clock.millis(),
            0);
    try {
      run.saved(checkout.checkIn(making, variables), lost);
      return true;
    } catch (SnapshotException e) {
      log.warn("request {}: its state can't be stored", run.request().requestId(), e);
      run.unsaved("the state could not be stored: " + e.getMessage(), lost);
      return false;
    }
  }

  /** Why the step's state can't be kept; null if it can. */
  private @Nullable String problem(
      ExecutionRequest request, StepReport report, List<LostValue> lost) {
    if (request.kind() == StepKind.PYTHON && !report.state().saved()) {
      return Verdicts.whyUnsaved(report, saveTimeMs);
    }
    StepReport.Files files = report.files();
    if (files == null) {
      return "the sandbox ended before it could tell what became of the workspace";
    }
    if (files.failed() != null) {
      return "the workspace could not be saved: " + files.failed();
    }
    if (request.strictState() && !lost.isEmpty()) {
      return "strictState asks for all or nothing, and " + lost.get(0).path() + " can't be kept";
    }
    return null;
  }

  private List<Artifact> artifacts(
      ExecutionRequest request, Checkout checkout, boolean filesTold, boolean kept)
      throws InterruptedException {
    if (!filesTold) {
      return lost(request, "the step ended in a way that leaves no files");
    }
    try {
      return artifacts.collect(request.artifacts(), checkout.files(), kept);
    } catch (SnapshotException e) {
      return lost(request, "this worker could not read it: " + e.getMessage());
    }
  }

  private static List<Artifact> lost(ExecutionRequest request, String reason) {
    return request.artifacts().stream()
        .map(path -> Artifact.missing(path, Artifact.Problem.LOST, reason))
        .toList();
  }
}
