package dev.stepwell.cli.compare;

/**
 * A text that may be looked at only so often, so that no pattern takes for ever on it. Used by one
 * thread.
 */
final class BoundedText implements CharSequence {
  private final String text;
  private long looksLeft;

  BoundedText(String text, long looks) {
    this.text = text;
    this.looksLeft = looks;
  }

  /** It has been looked at too often. */
  static final class ExhaustedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ExhaustedException() {
      super("a pattern looks at its text too often", null, false, false);
    }
  }

  @Override
  public char charAt(int index) {
    if (--looksLeft < 0) {
      throw new ExhaustedException();
    }
    return text.charAt(index);
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.substring(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}
