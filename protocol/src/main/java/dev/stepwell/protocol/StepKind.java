package dev.stepwell.protocol;

/** What a request asks to run, and which of its fields carry it. */
public enum StepKind {
  /** Python source in {@code source}, run in the session's namespace. */
  PYTHON,
  /** A command line in {@code source}, run by {@code /bin/sh -c}. */
  SHELL,
  /** A program and its arguments in {@code argv}, run without a shell. */
  ARGV
}
