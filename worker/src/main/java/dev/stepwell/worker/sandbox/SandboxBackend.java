package dev.stepwell.worker.sandbox;

import java.util.List;

/**
 * Makes sandboxes of one technology. Thread-safe.
 *
 * <p>A sandbox is made for one profile and one command, is given to one step, and is destroyed.
 * What runs in it, and the bytes that go in and out, are none of the backend's business.
 */
public interface SandboxBackend extends AutoCloseable {
  /** The name that users choose the backend by, such as {@code docker}. */
  String name();

  /** One sentence on what was found and how it limits sandboxes, for the start-up message. */
  String description();

  /**
   * Starts a sandbox that runs {@code command} as its first process, hardened as the backend's
   * documentation says, limited as the profile says. Blocks until the process has been started, not
   * until it has said anything.
   *
   * <p>Any thread may call it, and need not outlive the sandbox. A worker that dies takes its
   * sandboxes with it.
   *
   * @throws SandboxException if none could be started; {@link SandboxException#permanent()} tells
   *     whether another try can help
   * @throws InterruptedException if the thread was interrupted; nothing is left behind
   */
  Sandbox create(Profile profile, List<String> command)
      throws SandboxException, InterruptedException;

  /**
   * Removes what workers that are gone have left on this machine: sandboxes, control groups,
   * folders. What belongs to a living worker is left alone. Safe to call at any time, from any
   * number of workers.
   *
   * @return how many things were removed
   */
  int reap() throws SandboxException;

  /**
   * Releases what the backend itself holds. Sandboxes must have been destroyed before. Idempotent;
   * {@link #create} throws {@link SandboxException} afterwards.
   */
  @Override
  void close();
}
