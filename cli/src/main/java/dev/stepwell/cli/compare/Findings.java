package dev.stepwell.cli.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What one comparison has found so far. Used by one thread. */
final class Findings {
  private final IgnoreRules rules;
  private final UnaryOperator<String> names;
  private final List<Difference> found = new ArrayList<>();

  /**
   * @param names replaces in texts of the replay names that it had to change by the recorded ones
   */
  Findings(IgnoreRules rules, UnaryOperator<String> names) {
    this.rules = rules;
    this.names = names;
  }

  IgnoreRules rules() {
    return rules;
  }

  List<Difference> found() {
    return List.copyOf(found);
  }

  void add(
      Difference.Type type, String what, @Nullable String recorded, @Nullable String replayed) {
    found.add(Difference.of(type, what, recorded, replayed));
  }

  /** Compares what no rule can make equal. */
  void exact(
      Difference.Type type, String what, @Nullable Object recorded, @Nullable Object replayed) {
    if (!Objects.equals(recorded, replayed)) {
      add(type, what, text(recorded), text(replayed));
    }
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  /** A replayed text as it would read with the recorded names. */
  String renamed(String replayed) {
    return names.apply(replayed);
  }

  /** Compares texts after what is ignored has been left out. */
  void texts(
      Difference.Type type,
      String what,
      Part part,
      @Nullable String recorded,
      @Nullable String replayed) {
    String named = replayed == null ? null : renamed(replayed);
    if (!same(part, recorded, named)) {
      add(type, what, recorded, named);
    }
  }

  /** Whether two texts are the same but for what is ignored. */
  boolean same(Part part, @Nullable String recorded, @Nullable String replayed) {
    return Objects.equals(recorded, replayed)
        || (recorded != null
            && replayed != null
            && rules.normalise(part, recorded).equals(rules.normalise(part, replayed)));
  }
}
