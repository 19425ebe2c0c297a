package dev.stepwell.cli.process;

import org.jspecify.annotations.Nullable;

/** A command can't do its work. The message is one sentence that says why and what to do. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A failure that nothing else caused. */
  public CommandException(String message) {
    this(message, null);
  }

  /**
   * A failure.
   *
   * @param message the sentence
   * @param cause what lies behind it, shown by {@code --verbose}, or null
   */
  public CommandException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
