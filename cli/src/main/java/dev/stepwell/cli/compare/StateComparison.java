package dev.stepwell.cli.compare;

import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.StateReport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Compares what steps left of their sessions. Thread-safe. */
final class StateComparison {
  private static final Difference.Type TYPE = Difference.Type.STATE;
  private static final int ID_DIGITS = 12;

  private final States states;

  StateComparison(States states) {
    this.states = states;
  }

  void compare(ExecutionResult recorded, ExecutionResult replayed, Findings findings) {
    if (findings.rules().ignores(Part.STATE)) {
      return;
    }
    StateReport before = recorded.state();
    StateReport now = replayed.state();
    if (before == null || now == null) {
      findings.exact(TYPE, "state", shown(before), shown(now));
      return;
    }
    findings.exact(TYPE, "saved", before.saved(), now.saved());
    lost(before, now, findings);
    if (Objects.equals(before.snapshot(), now.snapshot())) {
      findings.exact(TYPE, "number of variables", before.kept(), now.kept());
    } else if (before.saved() || now.saved()) {
      contents(before, now, replayed, findings);
    }
    // What neither step saved is what an earlier one has left, where it has been compared.
  }

  private static void lost(StateReport before, StateReport now, Findings findings) {
    Map<String, LostValue> recorded = lost(before, findings);
    Map<String, LostValue> replayed = lost(now, findings);
    Set<String> names = new TreeSet<>(recorded.keySet());
    names.addAll(replayed.keySet());
    for (String name : names) {
      LostValue one = recorded.get(name);
      LostValue other = replayed.get(name);
      // Why a value can't be kept is told in words that may change.
      if (one == null || other == null || !one.type().equals(other.type())) {
        findings.add(TYPE, "lost " + name, shown(one), shown(other));
      }
    }
  }

  private static Map<String, LostValue> lost(StateReport state, Findings findings) {
    Map<String, LostValue> found = new LinkedHashMap<>();
    for (LostValue lost : state.lost()) {
      if (!findings.rules().ignoresVariable(lost.name())) {
        found.put(findings.rules().normalise(Part.STATE, lost.path()), lost);
      }
    }
    return found;
  }

  private static @Nullable String shown(@Nullable LostValue lost) {
    return lost == null ? null : lost.type() + ": " + lost.reason();
  }

  private void contents(
      StateReport before, StateReport now, ExecutionResult replayed, Findings findings) {
    States.Contents recorded =
        before.snapshot() == null ? EMPTY : states.recorded(before.snapshot());
    States.Contents current = now.snapshot() == null ? EMPTY : states.replayed(replayed);
    if (recorded == null || current == null) {
      findings.add(TYPE, "state, its variables can't be told", shown(before), shown(now));
      return;
    }
    IgnoreRules rules = findings.rules();
    items("variable ", recorded.variables(), current.variables(), rules::ignoresVariable, findings);
    items("file ", recorded.files(), current.files(), rules::ignoresFile, findings);
    items("setting ", recorded.settings(), current.settings(), rules::ignoresSetting, findings);
  }

  private static final States.Contents EMPTY = new States.Contents(Map.of(), Map.of(), Map.of());

  private static void items(
      String kind,
      Map<String, States.Item> recorded,
      Map<String, States.Item> replayed,
      Predicate<String> ignored,
      Findings findings) {
    Set<String> names = new TreeSet<>(recorded.keySet());
    names.addAll(replayed.keySet());
    for (String name : names) {
      States.Item before = recorded.get(name);
      States.Item now = replayed.get(name);
      if (!ignored.test(name) && differ(before, now, findings)) {
        findings.add(TYPE, kind + name, text(before), text(now));
      }
    }
  }

  /** Where texts differ in nothing but what is ignored, so does what they stand for. */
  private static boolean differ(
      States.@Nullable Item before, States.@Nullable Item now, Findings findings) {
    if (before == null || now == null) {
      return true;
    }
    if (before.digest().equals(now.digest())) {
      return false;
    }
    String renamed = findings.renamed(now.text());
    boolean toldApart = !before.text().equals(now.text());
    return !toldApart || !findings.same(Part.STATE, before.text(), renamed);
  }

  private static @Nullable String text(States.@Nullable Item item) {
    return item == null ? null : item.text();
  }

  private static @Nullable String shown(@Nullable StateReport state) {
    if (state == null) {
      return null;
    }
    String id = state.snapshot();
    return id == null
        ? "none"
        : "snapshot %s, %d variables, %d files"
            .formatted(
                id.substring(0, Math.min(id.length(), ID_DIGITS)), state.kept(), state.files());
  }
}
