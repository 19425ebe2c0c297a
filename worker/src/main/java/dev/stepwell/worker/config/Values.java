package dev.stepwell.worker.config;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checked access to the values under one prefix; immutable. What is not set is what the table's
 * fallback says, or what the caller computes.
 */
final class Values {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]*");

  private final String prefix;
  private final Map<String, String> configured;
  private final Map<String, String> builtIn;

  /**
   * @param prefix what the names in {@code configured} begin with
   * @param configured the settings by full name, of any prefix
   * @param builtIn what stands in for a setting that is not configured, by key
   */
  Values(String prefix, Map<String, String> configured, Map<String, String> builtIn) {
    this.prefix = prefix;
    this.configured = configured;
    this.builtIn = builtIn;
  }

  /** The setting's name in a file. */
  String name(Setting setting) {
    return prefix + setting.spec().key();
  }

  /** A number in the base unit of the setting's kind. */
  long number(Setting setting) {
    return number(
        setting,
        () -> {
          throw missing(setting);
        });
  }

  /** The same, computed where nobody set it. */
  long number(Setting setting, LongSupplier computed) {
    String text = raw(setting);
    return text == null ? computed.getAsLong() : checkedNumber(setting, text);
  }

  int integer(Setting setting) {
    return Math.toIntExact(number(setting));
  }

  int integer(Setting setting, LongSupplier computed) {
    return Math.toIntExact(number(setting, computed));
  }

  String text(Setting setting) {
    return text(
        setting,
        () -> {
          throw missing(setting);
        });
  }

  String text(Setting setting, Supplier<String> computed) {
    String text = raw(setting);
    return text == null ? computed.get() : checkedText(setting, text);
  }

  /** The items, stripped; empty for an empty text. */
  List<String> list(Setting setting) {
    String text = text(setting);
    if (text.isEmpty()) {
      return List.of();
    }
    List<String> items = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    if (items.contains("")) {
      throw ConfigException.badValue(
          name(setting), text, Kind.LIST.form() + ", without an empty one");
    }
    return items;
  }

  private @Nullable String raw(Setting setting) {
    String text = configured.get(name(setting));
    if (text == null) {
      text = builtIn.get(setting.spec().key());
    }
    return text == null ? setting.spec().fallback().literal() : text;
  }

  private ConfigException missing(Setting setting) {
    return new ConfigException(
        name(setting), name(setting) + " is not set and has no default: " + meaning(setting));
  }

  private static String meaning(Setting setting) {
    return setting.spec().meaning();
  }

  private long checkedNumber(Setting setting, String text) {
    Domain domain = setting.spec().domain();
    long number;
    try {
      number = domain.kind().parse(text);
    } catch (NumberFormatException e) {
      throw ConfigException.badValue(name(setting), text, domain.kind().form());
    }
    if (number < domain.minimum() || number > domain.maximum()) {
      throw ConfigException.badValue(name(setting), text, range(domain));
    }
    return number;
  }

  private static String range(Domain domain) {
    Kind kind = domain.kind();
    return "%s to %s".formatted(kind.format(domain.minimum()), kind.format(domain.maximum()));
  }

  private String checkedText(Setting setting, String text) {
    Domain domain = setting.spec().domain();
    String name = name(setting);
    if (text.indexOf('\0') >= 0) {
      throw ConfigException.badValue(name, text, "without a NUL character");
    }
    if (domain.kind() == Kind.CHOICE) {
      if (!domain.choices().contains(text)) {
        throw ConfigException.badValue(name, text, "one of " + domain.choices());
      }
      return text;
    }
    if (text.length() < domain.minimum() || text.length() > domain.maximum()) {
      throw ConfigException.badValue(name, text, range(domain) + " characters long");
    }
    if (domain.kind() == Kind.NAME && !NAME.matcher(text).matches()) {
      throw ConfigException.badValue(name, text, Kind.NAME.form());
    }
    return text;
  }
}
