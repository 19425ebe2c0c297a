package dev.stepwell.worker.sandbox;

/**
 * What a step of a profile may leave, beside the size of its variables; immutable. At a limit what
 * fits is kept and the rest is told.
 *
 * @param newBytes bytes that it may add to what is stored, for variables and for files each
 * @param components groups of variables that share objects
 * @param manifestBytes size of what a snapshot says about its variables
 * @param fileBytes size of all files of the workspace
 * @param files files, folders and links in the workspace
 */
public record StateLimits(
    long newBytes, int components, int manifestBytes, long fileBytes, int files) {
  private static final long USUAL_NEW_BYTES = 256L << 20;
  private static final int USUAL_COMPONENTS = 50_000;
  private static final int USUAL_MANIFEST_BYTES = 8 << 20;
  private static final int USUAL_FILES = 10_000;

  /**
   * What holds where nobody says otherwise.
   *
   * @param sandbox the sandbox's limits, which bound its files
   */
  public static StateLimits usual(SandboxLimits sandbox) {
    return new StateLimits(
        USUAL_NEW_BYTES, USUAL_COMPONENTS, USUAL_MANIFEST_BYTES, sandbox.diskBytes(), USUAL_FILES);
  }
}
