package dev.stepwell.cli.compare;

import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Request;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Tells in which ways two results of the same request differ; immutable and thread-safe. It blocks
 * where the states after a step have to be looked up.
 *
 * <p>Never compared are ids of requests, sessions, workers and sandboxes, times, usage, the
 * attempt, references, and snapshots by their names: two that hold the same are the same.
 */
public final class Comparison {
  /** An id that is no longer than this may stand in a text by chance. */
  private static final int SHORT_ID = 12;

  private final IgnoreRules rules;
  private final StateComparison states;
  private final UnaryOperator<String> names;

  /**
   * @param rules what is known to vary
   * @param states looks up what is in states
   */
  public Comparison(IgnoreRules rules, States states) {
    this(rules, states, UnaryOperator.identity());
  }

  /**
   * @param rules what is known to vary
   * @param states looks up what is in states
   * @param names puts into a text of the replay the recorded ids of other sessions in place of
   *     those of the replay; the ids of the request and session at hand need no help
   */
  public Comparison(IgnoreRules rules, States states, UnaryOperator<String> names) {
    this.rules = rules;
    this.states = new StateComparison(states);
    this.names = names;
  }

  /**
   * Compares.
   *
   * @param request the request as it was recorded
   * @return what differs, none for no difference: first limits, then how the step ended, its value,
   *     exception, output, artifacts, state and answer
   * @throws IgnoreRuleException if an expression takes too long on a text
   */
  public List<Difference> compare(
      Request request, ExecutionResult recorded, ExecutionResult replayed) {
    Findings findings = new Findings(rules, renaming(request, recorded, replayed));
    OutcomeComparison.compare(recorded, replayed, findings);
    ValueComparison.compare(recorded, replayed, findings);
    OutcomeComparison.exception(recorded.exception(), replayed.exception(), findings);
    OutputComparison.compare(
        Difference.Type.STDOUT,
        Part.STDOUT,
        recorded.stdout(),
        recorded.truncation().stdoutBytes(),
        replayed.stdout(),
        replayed.truncation().stdoutBytes(),
        findings);
    OutputComparison.compare(
        Difference.Type.STDERR,
        Part.STDERR,
        recorded.stderr(),
        recorded.truncation().stderrBytes(),
        replayed.stderr(),
        replayed.truncation().stderrBytes(),
        findings);
    ArtifactComparison.compare(recorded.artifacts(), replayed.artifacts(), findings);
    states.compare(recorded, replayed, findings);
    AnswerComparison.compare(recorded.session(), replayed.session(), findings);
    return findings.found();
  }

  private UnaryOperator<String> renaming(
      Request request, ExecutionResult recorded, ExecutionResult replayed) {
    return text -> {
      String renamed = names.apply(text);
      renamed = replaced(renamed, replayed.sessionId(), recorded.sessionId());
      return replaced(renamed, replayed.requestId(), request.requestId());
    };
  }

  private static String replaced(String text, @Nullable String id, @Nullable String by) {
    return id == null || by == null || id.length() <= SHORT_ID || id.equals(by)
        ? text
        : text.replace(id, by);
  }
}
