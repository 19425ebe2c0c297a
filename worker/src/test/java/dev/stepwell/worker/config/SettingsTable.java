package dev.stepwell.worker.config;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes what {@code docs/configuration.md} takes from the code. Stateless. */
final class SettingsTable {
  private SettingsTable() {}

  static String markdown() {
    List<Setting> all = new ArrayList<>(EnumSet.allOf(WorkerSetting.class));
    all.addAll(EnumSet.allOf(ProfileSetting.class));
    StringBuilder text = new StringBuilder();
    for (Setting.Section section : Setting.Section.values()) {
      text.append("### ").append(section.title()).append("\n\n");
      text.append("| setting | type | default | least | most | zero means | meaning |\n");
      text.append("|---|---|---|---|---|---|---|\n");
      for (Setting setting : all) {
        if (setting.spec().section() == section) {
          text.append(row(setting.spec())).append('\n');
        }
      }
      text.append('\n');
    }
    appendBuiltIn(text);
    text.append("### Refused after `kafka.`\n\nStepwell sets these itself: ");
    text.append(quoted(KafkaProperties.owned())).append(".\n");
    return text.toString();
  }

  private static String row(Setting.Spec spec) {
    Domain domain = spec.domain();
    String key = spec.section() == Setting.Section.PROFILE ? "." + spec.key() : spec.key();
    return "| `%s` | %s | %s | %s | %s | %s | %s |"
        .formatted(
            key,
            domain.kind() == Kind.CHOICE ? quoted(domain.choices()) : domain.kind().label(),
            spec.fallback().documented(),
            bound(domain, domain.minimum()),
            bound(domain, domain.maximum()),
            domain.zero().isEmpty() ? "-" : domain.zero(),
            spec.meaning());
  }

  private static String bound(Domain domain, long value) {
    if (domain.kind() == Kind.CHOICE) {
      return "-";
    }
    String unit = domain.kind().isNumber() ? "" : value == 1 ? " character" : " characters";
    return domain.kind().format(value) + unit;
  }

  private static void appendBuiltIn(StringBuilder text) {
    text.append("### Profiles that come with Stepwell\n\n");
    text.append("| profile | differs from the defaults above in |\n|---|---|\n");
    for (Map.Entry<String, Map<String, String>> each :
        new TreeMap<>(BuiltInProfiles.ALL).entrySet()) {
      List<String> differences = new ArrayList<>();
      new TreeMap<>(each.getValue()).forEach((key, value) -> differences.add(key + "=" + value));
      text.append(
          "| `%s` | %s |\n"
              .formatted(each.getKey(), differences.isEmpty() ? "nothing" : quoted(differences)));
    }
    text.append('\n');
  }

  private static String quoted(Iterable<String> items) {
    List<String> quoted = new ArrayList<>();
    items.forEach(each -> quoted.add("`" + each + "`"));
    return String.join(", ", quoted);
  }
}
