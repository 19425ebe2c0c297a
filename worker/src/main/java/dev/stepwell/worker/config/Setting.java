package dev.stepwell.worker.config;

/** One row of the table of settings; an enum's constant, so immutable. */
interface Setting {
  /** What there is to know about it. */
  Spec spec();

  /**
   * A setting's description; immutable.
   *
   * @param section where the documentation puts it
   * @param key the name in a file; for a profile's setting what follows {@code profile.NAME.}
   * @param domain the values that it takes
   * @param fallback what it is when nobody sets it
   * @param meaning for people, in Markdown
   */
  record Spec(Section section, String key, Domain domain, Fallback fallback, String meaning) {}

  /** The parts of the documentation's table, in its order. */
  enum Section {
    KAFKA("Kafka"),
    INTAKE("Requests taken ahead"),
    EXECUTION("Running steps"),
    SANDBOXES("Sandboxes"),
    POOL("The pool"),
    STATE("State"),
    PROFILE("Profiles");

    private final String title;

    Section(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }
}
