package dev.stepwell.cli.compare;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * What is known to vary between two runs of the same, and is left out of a comparison; immutable
 * and thread-safe. {@code docs/replay.md} lists the forms.
 *
 * <p>What matches is replaced by {@value #IGNORED} on both sides before they are compared.
 */
public final class IgnoreRules {
  /** Stands for what was left out. */
  public static final String IGNORED = "<ignored>";

  static final String FORMS =
      "rules are the names addresses (on unless -addresses is given), times, durations, uuids, hex,"
          + " paths-tmp and random; the parts stdout, stderr, value, value:MEDIA/TYPE, exception,"
          + " traceback, artifact, answer, state, variable:PATTERN, file:PATTERN, setting:PATTERN"
          + " and artifact:PATTERN, with * and ? in patterns; and /REGEX/, or PART:/REGEX/ for one"
          + " part";

  private static final Set<Part> ALL_PARTS = Set.copyOf(EnumSet.allOf(Part.class));

  /** Addresses alone are ignored. */
  public static final IgnoreRules DEFAULT = of(List.of());

  private final List<String> written;
  private final Set<Part> parts;
  private final List<NamePattern> names;
  private final List<Replacement> replacements;

  /** A pattern of what is left out whole: {@code variable} and a pattern of its name. */
  private record NamePattern(String kind, Glob glob) {}

  private IgnoreRules(
      List<String> written,
      Set<Part> parts,
      List<NamePattern> names,
      List<Replacement> replacements) {
    this.written = List.copyOf(written);
    this.parts = parts;
    this.names = List.copyOf(names);
    this.replacements = List.copyOf(replacements);
  }

  /**
   * Reads rules.
   *
   * @param written in their written forms
   * @throws IgnoreRuleException naming the first one that is none
   */
  public static IgnoreRules of(List<String> written) {
    Set<NamedRule> named = EnumSet.of(NamedRule.ADDRESSES);
    Set<Part> parts = EnumSet.noneOf(Part.class);
    List<NamePattern> names = new ArrayList<>();
    List<Replacement> expressions = new ArrayList<>();
    for (String rule : written) {
      NamedRule known = NamedRule.of(rule);
      NamedRule off = rule.startsWith("-") ? NamedRule.of(rule.substring(1)) : null;
      Part part = Part.of(rule);
      if (known != null) {
        named.add(known);
      } else if (off != null) {
        named.remove(off);
      } else if (part != null) {
        parts.add(part);
      } else {
        addWithArgument(rule, names, expressions);
      }
    }
    List<Replacement> replacements = new ArrayList<>(expressions);
    for (NamedRule each : named) {
      Pattern pattern = each.pattern();
      if (pattern != null) {
        replacements.add(new Replacement(each.written(), ALL_PARTS, pattern, each));
      }
    }
    if (named.contains(NamedRule.RANDOM)) {
      names.add(new NamePattern("setting", new Glob("random")));
      names.add(new NamePattern("setting", new Glob("numpy.random")));
    }
    return new IgnoreRules(written, parts, names, replacements);
  }

  private static void addWithArgument(
      String rule, List<NamePattern> names, List<Replacement> expressions) {
    if (rule.length() > 2 && rule.startsWith("/") && rule.endsWith("/")) {
      expressions.add(new Replacement(rule, ALL_PARTS, compile(rule, rule), null));
      return;
    }
    int colon = rule.indexOf(':');
    String kind = colon < 0 ? "" : rule.substring(0, colon);
    String argument = rule.substring(colon + 1);
    Part part = Part.of(kind);
    if (argument.length() > 2 && argument.startsWith("/") && argument.endsWith("/")) {
      if (part != null) {
        expressions.add(new Replacement(rule, EnumSet.of(part), compile(rule, argument), null));
        return;
      }
    }
    if (argument.isEmpty()
        || !List.of("value", "variable", "file", "setting", "artifact").contains(kind)) {
      throw new IgnoreRuleException("'" + rule + "' is no ignore rule: " + FORMS, null);
    }
    names.add(new NamePattern(kind, new Glob(argument)));
  }

  private static Pattern compile(String rule, String slashed) {
    try {
      return Pattern.compile(slashed.substring(1, slashed.length() - 1));
    } catch (PatternSyntaxException e) {
      throw new IgnoreRuleException(
          "the expression of ignore rule '%s' is none: %s; %s"
              .formatted(rule, e.getDescription(), FORMS),
          e);
    }
  }

  /** The rules as they were written. */
  public List<String> written() {
    return written;
  }

  /** Whether a part is left out whole. */
  public boolean ignores(Part part) {
    return parts.contains(part);
  }

  private boolean ignores(String kind, String name) {
    return names.stream().anyMatch(each -> each.kind().equals(kind) && each.glob().matches(name));
  }

  boolean ignoresMedia(String mediaType) {
    return ignores("value", mediaType);
  }

  boolean ignoresVariable(String name) {
    return ignores("variable", name);
  }

  boolean ignoresFile(String path) {
    return ignores("file", path);
  }

  boolean ignoresSetting(String name) {
    return ignores("setting", name);
  }

  boolean ignoresArtifact(String path) {
    return ignores("artifact", path);
  }

  /**
   * A text without what is known to vary. Texts above 1 MiB are taken in parts of that size, cut at
   * ends of lines.
   *
   * @param part where the text is from
   * @throws IgnoreRuleException if an expression takes too long on it
   */
  public String normalise(Part part, String text) {
    String left = text;
    for (Replacement each : replacements) {
      if (each.parts().contains(part)) {
        left = each.apply(left);
      }
    }
    return left;
  }

  /** The same for what may not be there. */
  @Nullable String normaliseNullable(Part part, @Nullable String text) {
    return text == null ? null : normalise(part, text);
  }
}
