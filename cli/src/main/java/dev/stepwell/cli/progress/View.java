package dev.stepwell.cli.progress;

/** Where progress is shown; called by one thread at a time. */
interface View {
  /** How far it is; comes several times a second. */
  void show(Standing standing);

  /** A line that stays. */
  void note(String line);

  /** The last that is shown. */
  void end(Standing standing);
}
