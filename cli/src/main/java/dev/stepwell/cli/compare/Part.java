package dev.stepwell.cli.compare;

import org.jspecify.annotations.Nullable;

/** A part of a result that has texts, as ignore rules name it. */
public enum Part {
  STDOUT("stdout"),
  STDERR("stderr"),
  VALUE("value"),
  /** An exception's message. */
  EXCEPTION("exception"),
  TRACEBACK("traceback"),
  ARTIFACT("artifact"),
  STATE("state"),
  /** What a session operation answers. */
  ANSWER("answer");

  private final String written;

  Part(String written) {
    this.written = written;
  }

  /** Its name in rules. */
  public String written() {
    return written;
  }

  static @Nullable Part of(String written) {
    for (Part part : values()) {
      if (part.written.equals(written)) {
        return part;
      }
    }
    return null;
  }
}
