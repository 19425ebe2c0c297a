package dev.stepwell.worker.runner;

import dev.stepwell.worker.runner.StepReport.KilledBy;
import dev.stepwell.worker.runner.StepTranscript.Phase;
import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The conversation of one step, from its hand-over to its end.
 *
 * <p>The thread that calls {@link #run} owns it; {@link #cancel} may come from any thread. The
 * limits are enforced from here, on the watchdog's threads, because nothing in the sandbox can be
 * trusted to. Whoever sets {@code killedBy} first ends the step, and nobody else does.
 */
final class StepConversation {
  private final Sandbox sandbox;
  private final FrameChannel channel;
  private final Watchdog watchdog;
  private final RunnerTimeouts timeouts;
  private final AtomicReference<KilledBy> killedBy = new AtomicReference<>(KilledBy.NONE);
  // Written by the owner alone; others must see when the runner listens for a kill.
  private volatile boolean listening;
  // Written by whoever ends the step, called off by the owner; too late, it destroys what is gone.
  private volatile @Nullable Future<?> grace;
  private @Nullable Future<?> limit;

  StepConversation(
      Sandbox sandbox, FrameChannel channel, Watchdog watchdog, RunnerTimeouts timeouts) {
    this.sandbox = sandbox;
    this.channel = channel;
    this.watchdog = watchdog;
    this.timeouts = timeouts;
  }

  /** Ends the step now, keeping what it printed; before {@link #run}, keeps it from beginning. */
  void cancel() {
    end(KilledBy.CANCEL);
  }

  /** Blocks until the step has ended; see {@link ReadyRunner#run}. */
  StepReport run(StepTask task, @Nullable Path folder, Runnable aboutToStart)
      throws SandboxException, StateUnavailableException, InterruptedException {
    PieceNeeds needs = new PieceNeeds(task, folder, channel, watchdog, sandbox::destroy);
    StepTranscript transcript = new StepTranscript(task, needs, new StepClock(System::nanoTime));
    if (killer() != KilledBy.NONE) {
      return transcript.cutOff(killer(), null);
    }
    try {
      limit = watchdog.after(timeouts.restoreMs(), () -> end(KilledBy.RESTORE_LIMIT));
      needs.given(new StepHandover(channel, folder).hand(task));
      while (transcript.phase() != Phase.ENDED) {
        Phase before = transcript.phase();
        transcript.take(channel.read());
        if (transcript.phase() != before) {
          entered(transcript.phase(), task, aboutToStart);
        }
      }
      return transcript.ended(killer());
    } catch (IOException e) {
      return cutOff(transcript, e);
    } finally {
      callOffLimit();
      callOff(grace);
    }
  }

  private void entered(Phase phase, StepTask task, Runnable aboutToStart) {
    switch (phase) {
      case RUNNING -> {
        listening = true;
        limit(task.limits().wallTimeMs(), KilledBy.TIME_LIMIT);
        aboutToStart.run();
      }
      case SAVING, FILES -> limit(timeouts.saveMs(), KilledBy.SAVE_LIMIT);
      case SAVED, REFUSED -> limit(timeouts.endMs(), KilledBy.SAVE_LIMIT);
      case ENDED, RESTORING -> callOffLimit();
    }
  }

  private KilledBy killer() {
    return Objects.requireNonNull(killedBy.get());
  }

  private void limit(long afterMs, KilledBy by) {
    callOffLimit();
    limit = watchdog.after(afterMs, () -> end(by));
  }

  private void callOffLimit() {
    callOff(limit);
  }

  private static void callOff(@Nullable Future<?> action) {
    if (action != null) {
      action.cancel(false);
    }
  }

  /** The first to come asks the runner to end the step, and destroys the sandbox if it doesn't. */
  private void end(KilledBy by) {
    if (!killedBy.compareAndSet(KilledBy.NONE, by)) {
      return;
    }
    if (!listening) {
      watchdog.now(sandbox::destroy);
      return;
    }
    grace = watchdog.after(timeouts.endMs(), sandbox::destroy);
    try {
      channel.write('K', new byte[0]);
      channel.flush();
    } catch (IOException e) {
      // The sandbox is gone or going; its end is what was wanted.
      watchdog.now(sandbox::destroy);
    }
  }

  private StepReport cutOff(StepTranscript transcript, IOException cause) throws SandboxException {
    KilledBy by = killer();
    if (by != KilledBy.NONE) {
      return transcript.cutOff(by, null);
    }
    String why = cause.getMessage() + diagnostics();
    if (transcript.started()) {
      return transcript.cutOff(KilledBy.NONE, why);
    }
    throw SandboxException.passing(
        "sandbox " + sandbox.id() + " failed before its step: " + why, cause);
  }

  private String diagnostics() {
    String diagnostics = sandbox.diagnostics();
    return diagnostics.isEmpty() ? "" : "; it said: " + diagnostics;
  }
}
