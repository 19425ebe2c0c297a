package dev.stepwell.worker.sandbox;

import java.util.function.Supplier;

/**
 * A backend that may be chosen; immutable.
 *
 * @param name the name users choose it by
 * @param probe tells whether it can be used here; doesn't throw, leaves nothing behind, and takes
 *     seconds at most
 * @param opener makes it
 */
public record BackendCandidate(String name, Supplier<Availability> probe, Opener opener) {
  /** Makes a backend. */
  @FunctionalInterface
  public interface Opener {
    /**
     * Opens the backend; the caller closes it.
     *
     * @throws SandboxException if it can't be used here; the message says what is missing
     */
    SandboxBackend open() throws SandboxException;
  }
}
