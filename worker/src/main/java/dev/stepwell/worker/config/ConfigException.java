package dev.stepwell.worker.config;

/** A configuration is not acceptable. The message names the setting, the value and the way out. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** No value of use is longer than what a message shows of it. */
  private static final int SHOWN_CHARACTERS = 200;

  private final String setting;

  ConfigException(String setting, String message) {
    super(message);
    this.setting = setting;
  }

  ConfigException(String setting, String message, Throwable cause) {
    super(message, cause);
    this.setting = setting;
  }

  static ConfigException badValue(String setting, String value, String mustBe) {
    return new ConfigException(
        setting, "%s is \"%s\", must be %s".formatted(setting, shown(value), mustBe));
  }

  private static String shown(String value) {
    return value.length() <= SHOWN_CHARACTERS
        ? value
        : value.substring(0, SHOWN_CHARACTERS) + "... (" + value.length() + " characters)";
  }

  /** The name of the offending setting; empty where the file as a whole is unreadable. */
  public String setting() {
    return setting;
  }
}
