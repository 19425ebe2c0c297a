package dev.stepwell.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session's state after a step; immutable.
 *
 * @param snapshot the id of the session's newest snapshot: 64 hexadecimal digits; null while the
 *     session has none
 * @param saved whether this step made that snapshot; false means that the state is still what the
 *     step before left
 * @param bytes the size of that snapshot
 * @param kept how many top-level names it holds
 * @param lost what this step left that could not be kept
 */
public record StateReport(
    @Nullable String snapshot, boolean saved, long bytes, int kept, List<LostValue> lost) {
  public StateReport {
    Checks.sha256("state.snapshot", snapshot);
    Checks.atLeast("state.bytes", bytes, 0);
    Checks.atLeast("state.kept", (long) kept, 0);
    lost = List.copyOf(lost);
  }
}
