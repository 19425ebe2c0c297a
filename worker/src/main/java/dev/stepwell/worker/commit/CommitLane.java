package dev.stepwell.worker.commit;

import java.util.List;

/**
 * Where the work of one lease goes to be committed. Thread-safe; nothing but {@link #close} blocks.
 */
public interface CommitLane {
  /** Takes note of requests that were read, in rising order, before any of them is answered. */
  void received(List<Long> offsets);

  /** Commits an answer; the listener hears of it. */
  void submit(Answer answer);

  /** Puts the start of a suspect request on record; the listener hears of it. */
  void recordStart(long offset);

  /** Moves the mark of what may be started; the listener hears of it. */
  void raiseStartable();

  /**
   * Ends the lease. Blocks until the transaction under way is over.
   *
   * @param orderly true to commit what was submitted before, on the word that nothing runs any
   *     more; false where the partition is another worker's already
   * @return whether the end came within the time
   */
  boolean close(boolean orderly, long timeoutMs) throws InterruptedException;
}
