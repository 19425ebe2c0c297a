package dev.stepwell.worker.runner;

/**
 * What a step may leave at most; immutable. What is beyond is left out and told, unless strict.
 *
 * @param stateBytes size of all live variables; 0 for steps that leave no state
 * @param newBytes what the step may add to storage, variables and files each
 * @param components groups of variables that share objects
 * @param manifestBytes the description of the variables
 * @param fileBytes size of all files of the workspace
 * @param files entries in the workspace
 * @param strict whether the step is to leave nothing rather than less than everything
 */
public record StateCaps(
    long stateBytes,
    long newBytes,
    int components,
    int manifestBytes,
    long fileBytes,
    int files,
    boolean strict) {}
