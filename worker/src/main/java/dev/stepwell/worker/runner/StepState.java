package dev.stepwell.worker.runner;

import java.util.List;

/**
 * The state that a step starts from, and where what it leaves goes; immutable.
 *
 * @param variables the session's variables
 * @param pieces what the variables are made of
 * @param newPieces takes the pieces of the variables that the step leaves
 * @param files the workspace, folders before what is in them
 * @param fileSizes the sizes of the pieces that the files are made of, bytes
 * @param filePieces what the files are made of
 * @param newContent takes the pieces of the files that the step leaves
 * @param caps what the step may leave
 * @param reportsFiles whether the step is to tell what became of the workspace
 * @param reseed whether random streams are to be seeded anew after they were restored
 */
public record StepState(
    Variables variables,
    PieceSupply pieces,
    PieceSink newPieces,
    List<FileEntry> files,
    List<Integer> fileSizes,
    PieceSupply filePieces,
    PieceSink newContent,
    StateCaps caps,
    boolean reportsFiles,
    boolean reseed) {
  /** No state in, no state out. */
  public static final StepState NONE =
      new StepState(
          Variables.NONE,
          PieceSupply.NONE,
          PieceSink.NONE,
          List.of(),
          List.of(),
          PieceSupply.NONE,
          PieceSink.NONE,
          new StateCaps(0, 0, 0, 0, 0, 0, false),
          false,
          false);

  public StepState {
    files = List.copyOf(files);
    fileSizes = List.copyOf(fileSizes);
  }
}
