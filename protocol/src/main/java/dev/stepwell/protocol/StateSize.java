package dev.stepwell.protocol;

/**
 * How large a session's state is; immutable.
 *
 * @param variableBytes the size of its variables
 * @param kept how many top-level names there are
 * @param files entries in the workspace: files, links and folders
 * @param fileBytes the sizes of the files
 */
public record StateSize(long variableBytes, int kept, int files, long fileBytes) {
  /** Nothing. */
  public static final StateSize NONE = new StateSize(0, 0, 0, 0);

  public StateSize {
    Checks.atLeast("state.variableBytes", variableBytes, 0);
    Checks.atLeast("state.kept", (long) kept, 0);
    Checks.atLeast("state.files", (long) files, 0);
    Checks.atLeast("state.fileBytes", fileBytes, 0);
  }
}
