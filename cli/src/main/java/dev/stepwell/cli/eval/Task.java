package dev.stepwell.cli.eval;

import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.StepKind;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A task to run; immutable. What has one step runs as a one-shot, what has several as a session of
 * its own. Candidates of a task that has something to prepare run in forks of the session that
 * prepared it.
 *
 * @param id its name, unique among those that run
 * @param group what several tasks are samples of; the task itself where there is one
 * @param sample which sample of its group it is, from 1
 * @param bestOf whether its candidates are alternatives, each with a verdict, of which one is to
 *     pass; else there is one
 * @param prepare what runs once before all candidates
 * @param candidates what is tried, at least one
 * @param check what runs after each candidate's steps, where those did
 * @param reseed whether each fork draws random numbers of its own
 * @param repeatable whether it may be begun anew where a sandbox was lost with it
 */
public record Task(
    String id,
    String group,
    int sample,
    boolean bestOf,
    List<TaskStep> prepare,
    List<Candidate> candidates,
    List<TaskStep> check,
    boolean reseed,
    boolean repeatable) {
  /** Copies. */
  public Task {
    prepare = List.copyOf(prepare);
    candidates = List.copyOf(candidates);
    check = List.copyOf(check);
  }

  /** A task that only runs its steps. */
  static Task plain(String id, List<TaskStep> steps, boolean repeatable) {
    Candidate all = new Candidate(steps, "");
    return new Task(id, id, 1, false, List.of(), List.of(all), List.of(), false, repeatable);
  }

  /** A sample of a task, as a task of its own. */
  static Task sample(String id, String group, int sample, TaskStep step, String text) {
    Candidate all = new Candidate(List.of(step), text);
    return new Task(id, group, sample, false, List.of(), List.of(all), List.of(), false, false);
  }

  /** The steps of all that it may run. */
  List<TaskStep> steps() {
    return Stream.of(
            prepare.stream(),
            candidates.stream().flatMap(candidate -> candidate.steps().stream()),
            check.stream())
        .flatMap(steps -> steps)
        .toList();
  }

  /** Whether a candidate's steps need a state to hand on. */
  boolean needsSession(Candidate candidate) {
    return !prepare.isEmpty() || candidate.steps().size() + check.size() > 1;
  }

  /**
   * What a candidate is called in results.
   *
   * @param candidate its number, from 1
   */
  String nameOf(int candidate) {
    return bestOf ? id + "#" + candidate : id;
  }

  /** Which sample of its group a candidate is, from 1. */
  int sampleOf(int candidate) {
    return bestOf ? candidate : sample;
  }

  /**
   * One of a task's alternatives; immutable.
   *
   * @param steps what it runs, in order, at least one
   * @param text what it is as a text: two of the same text do the same
   */
  public record Candidate(List<TaskStep> steps, String text) {
    public Candidate {
      steps = List.copyOf(steps);
    }
  }

  /**
   * One of a task's steps; immutable.
   *
   * @param what what it runs, under an id that it is never sent under
   * @param expectation how that should go
   */
  public record TaskStep(ExecutionRequest what, Expectation expectation) {
    /** The request for this step. */
    ExecutionRequest request(String requestId, @Nullable String sessionId) {
      return new ExecutionRequest(
          requestId,
          sessionId,
          what.kind(),
          what.source(),
          what.argv(),
          what.stdin(),
          what.profile(),
          what.limits(),
          what.environment(),
          null,
          null,
          what.files(),
          List.of(),
          false,
          null,
          what.prelude());
    }

    /** What it runs, for people. */
    String code() {
      String source = what.source();
      String code = source == null ? String.join(" ", what.argv()) : source;
      return what.kind() == StepKind.PYTHON ? code : "$ " + code;
    }
  }
}
