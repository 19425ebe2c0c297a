package dev.stepwell.worker.runner;

import dev.stepwell.worker.sandbox.Sandbox;
import dev.stepwell.worker.sandbox.SandboxException;
import java.io.IOException;
import java.util.concurrent.Future;

/**
 * A booted runner in a sandbox, waiting for the one step it will ever run.
 *
 * <p>Owned by whoever holds it: the pool until it is taken, one execution thread after. Only {@link
 * #kill()} and {@link #destroy()} may be called from other threads.
 */
public final class ReadyRunner {
  private final Sandbox sandbox;
  private final FrameChannel channel;
  private final Watchdog watchdog;
  private final RunnerTimeouts timeouts;
  private final boolean places;
  private final StepConversation conversation;

  /** Wraps a sandbox whose runner has said that it is ready, with a watchdog for it alone. */
  public ReadyRunner(Sandbox sandbox) {
    this(sandbox, new FrameChannel(sandbox), new Watchdog(), RunnerTimeouts.DEFAULTS, false);
  }

  /**
   * Wraps a sandbox whose runner has said that it is ready.
   *
   * @param places whether the runner has found the sandbox's folder of pieces
   */
  ReadyRunner(
      Sandbox sandbox,
      FrameChannel channel,
      Watchdog watchdog,
      RunnerTimeouts timeouts,
      boolean places) {
    this.sandbox = sandbox;
    this.channel = channel;
    this.watchdog = watchdog;
    this.timeouts = timeouts;
    this.places = places;
    this.conversation = new StepConversation(sandbox, channel, watchdog, timeouts);
  }

  /** The sandbox's id. */
  public String id() {
    return sandbox.id();
  }

  /** The sandbox, for its usage. */
  public Sandbox sandbox() {
    return sandbox;
  }

  /**
   * Whether the runner still waits for its step. Asks it, which takes a fraction of a millisecond
   * and at most {@link RunnerTimeouts#aliveMs()}; a runner that doesn't answer is destroyed. Not to
   * be called once {@link #run} was.
   */
  public boolean alive() {
    Future<?> deadline = watchdog.after(timeouts.aliveMs(), sandbox::destroy);
    try {
      channel.write('P', new byte[0]);
      channel.flush();
      return channel.read().type() == 'P';
    } catch (IOException e) {
      // What it died of doesn't matter: it was idle.
      return false;
    } finally {
      deadline.cancel(false);
    }
  }

  /**
   * Runs the step, once, and blocks until it has ended. The sandbox is not destroyed.
   *
   * <p>What becomes of the step is reported, not thrown, from the moment its code may have run.
   *
   * @param aboutToStart called on this thread right before the step's code runs; must not block
   * @throws SandboxException if the sandbox failed before the code ran, so that another may try
   * @throws StateUnavailableException if a piece can't be had without which the step can't begin;
   *     its code has not run
   * @throws InterruptedException if the thread was interrupted while it waited for such a piece
   */
  public StepReport run(StepTask task, Runnable aboutToStart)
      throws SandboxException, StateUnavailableException, InterruptedException {
    return conversation.run(task, places ? sandbox.pieceFolder() : null, aboutToStart);
  }

  /**
   * Ends the step now, if it hasn't ended. {@link #run} then returns what the step did until here.
   * Called before it, the step never runs. Idempotent, never blocks for long.
   */
  public void kill() {
    conversation.cancel();
  }

  /** Ends the sandbox; see {@link Sandbox#destroy()}. */
  public void destroy() {
    sandbox.destroy();
  }
}
