package dev.stepwell.cli.replay;

/** What came of a request that was to be replayed. */
enum Verdict {
  /** Its result is the recorded one. */
  SAME("same"),
  /** Its result differs. */
  DIFFERENT("different"),
  /** It was replayed, and one of the two results isn't there or can't be read. */
  NOT_COMPARED("not compared"),
  /** It was not run here, for a reason that the recording doesn't have. */
  COULD_NOT_RUN("could not run"),
  /** What it starts from is neither in the log nor made by it, so it was not published. */
  SKIPPED("skipped"),
  /** Its message can't be read, so it was not published. */
  UNREADABLE("unreadable"),
  /** It was published a second time under its id, which has one result. */
  COPY("copies");

  private final String label;

  Verdict(String label) {
    this.label = label;
  }

  /** What people read. */
  String label() {
    return label;
  }
}
