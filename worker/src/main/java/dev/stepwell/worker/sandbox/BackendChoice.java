package dev.stepwell.worker.sandbox;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The backend that a worker uses, and why that one; immutable.
 *
 * @param backend opened; the receiver closes it
 * @param reason one sentence for the start-up message
 */
public record BackendChoice(SandboxBackend backend, String reason) {
  /** The name that leaves the choice to {@link #choose}. */
  public static final String AUTO = "auto";

  /**
   * Opens the backend called {@code wanted}, or, for {@link #AUTO}, the first of {@code candidates}
   * that can be used here. Blocks for as long as the probes take. Code never runs without a
   * sandbox: where no candidate can be used, there is no choice.
   *
   * @param candidates in order of preference
   * @throws SandboxException if {@code wanted} names none of them, or can't be used here, or none
   *     can; the message says what each is missing
   */
  public static BackendChoice choose(String wanted, List<BackendCandidate> candidates)
      throws SandboxException {
    return wanted.equals(AUTO) ? first(candidates) : named(wanted, candidates);
  }

  private static BackendChoice first(List<BackendCandidate> candidates) throws SandboxException {
    StringBuilder passedOver = new StringBuilder();
    for (BackendCandidate candidate : candidates) {
      Availability found = candidate.probe().get();
      if (found.usable()) {
        String reason = candidate.name() + ", because " + found.reason() + passedOver;
        return new BackendChoice(candidate.opener().open(), reason);
      }
      passedOver.append("; not ").append(candidate.name()).append(": ").append(found.reason());
    }
    throw SandboxException.permanent(
        "no sandbox backend can be used here, and nothing runs without one" + passedOver, null);
  }

  private static BackendChoice named(String wanted, List<BackendCandidate> candidates)
      throws SandboxException {
    for (BackendCandidate candidate : candidates) {
      if (candidate.name().equals(wanted)) {
        Availability found = candidate.probe().get();
        if (!found.usable()) {
          throw SandboxException.permanent(
              "the sandbox backend " + wanted + " can't be used here: " + found.reason(), null);
        }
        return new BackendChoice(
            candidate.opener().open(), wanted + ", as asked for: " + found.reason());
      }
    }
    throw SandboxException.permanent(
        "there is no sandbox backend called "
            + wanted
            + "; choose "
            + AUTO
            + " or one of "
            + candidates.stream().map(BackendCandidate::name).collect(Collectors.joining(", ")),
        null);
  }
}
