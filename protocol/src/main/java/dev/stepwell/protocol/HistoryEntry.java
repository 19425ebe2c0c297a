package dev.stepwell.protocol;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A step that a session has had; immutable.
 *
 * @param step its number, from 1
 * @param snapshot the id of the snapshot that it left, 64 hexadecimal digits; null for none
 * @param requestId the request that asked for it
 * @param outcome how it ended
 * @param finishedAtMs when, in milliseconds since the epoch by the worker's clock
 * @param bytes the size of the session's variables after it, in bytes
 * @param retained whether the state after it can still be had
 */
public record HistoryEntry(
    long step,
    @Nullable String snapshot,
    String requestId,
    Outcome outcome,
    long finishedAtMs,
    long bytes,
    boolean retained) {
  public HistoryEntry {
    Checks.atLeast("step", step, 1);
    Checks.sha256("snapshot", snapshot);
    Checks.id("requestId", requestId);
    Objects.requireNonNull(outcome, "outcome");
    Checks.atLeast("finishedAtMs", finishedAtMs, 0);
    Checks.atLeast("bytes", bytes, 0);
  }
}
