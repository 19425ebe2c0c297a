package dev.stepwell.cli.process;

/** What may be assumed about where output goes. */
public final class Terminal {
  static {
    // From Java 22 on there is a console without a terminal too, unless the older one is asked for.
    System.setProperty("jdk.console", "java.base");
  }

  private Terminal() {}

  /** Whether a person looks at it. */
  @SuppressWarnings("SystemConsoleNull") // See the property above.
  public static boolean present() {
    return System.console() != null && !"dumb".equals(System.getenv("TERM"));
  }

  /** Whether colours are welcome: on a terminal, unless NO_COLOR is set to anything. */
  public static boolean colours() {
    String noColour = System.getenv("NO_COLOR");
    return present() && (noColour == null || noColour.isEmpty());
  }
}
