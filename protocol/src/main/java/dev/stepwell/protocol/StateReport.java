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
 * @param bytes the size of the session's variables, in bytes
 * @param newBytes how many bytes this step added to what is stored for the session
 * @param kept how many top-level names it holds
 * @param lost what this step left that could not be kept
 * @param files how many files, folders and links the session's workspace has
 * @param fileBytes the size of those files, in bytes
 */
public record StateReport(
    @Nullable String snapshot,
    boolean saved,
    long bytes,
    long newBytes,
    int kept,
    List<LostValue> lost,
    int files,
    long fileBytes) {
  /** The state of a session that has none. */
  public static final StateReport NONE = new StateReport(null, false, 0, 0, 0, List.of(), 0, 0);

  public StateReport {
    Checks.sha256("state.snapshot", snapshot);
    Checks.atLeast("state.bytes", bytes, 0);
    Checks.atLeast("state.newBytes", newBytes, 0);
    Checks.atLeast("state.kept", (long) kept, 0);
    lost = List.copyOf(lost);
    Checks.atLeast("state.files", (long) files, 0);
    Checks.atLeast("state.fileBytes", fileBytes, 0);
  }
}
