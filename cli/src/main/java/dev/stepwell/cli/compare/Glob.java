package dev.stepwell.cli.compare;

/**
 * A pattern of names: {@code *} stands for any characters, {@code ?} for one; immutable.
 *
 * @param text the pattern
 */
record Glob(String text) {
  /** Whether a whole name is one of these. Takes at most the product of the two lengths. */
  boolean matches(String name) {
    int at = 0;
    int in = 0;
    int star = -1;
    int resume = 0;
    while (at < name.length()) {
      if (in < text.length() && text.charAt(in) == '*') {
        star = in++;
        resume = at;
      } else if (in < text.length()
          && (text.charAt(in) == '?' || text.charAt(in) == name.charAt(at))) {
        in++;
        at++;
      } else if (star >= 0) {
        in = star + 1;
        at = ++resume;
      } else {
        return false;
      }
    }
    while (in < text.length() && text.charAt(in) == '*') {
      in++;
    }
    return in == text.length();
  }
}
