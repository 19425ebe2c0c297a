package dev.stepwell.cli.eval;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs what a task is made of, each part on the thread that calls; thread-safe. */
final class TaskParts {
  private static final int PREPARATION = 0;

  private final Task task;
  private final TaskRequests requests;
  private final Retries retries;
  private final Farewells farewells;
  private final SessionLine sessions;

  TaskParts(Task task, TaskRequests requests, Retries retries, Farewells farewells) {
    this.task = task;
    this.requests = requests;
    this.retries = retries;
    this.farewells = farewells;
    this.sessions = new SessionLine(requests, retries);
  }

  /**
   * What came of the preparation; immutable. One of reference and stop is null.
   *
   * @param session its session's name in the run
   * @param reference the state that candidates fork
   * @param stop why there is none
   */
  record Prepared(String session, @Nullable String reference, StepLine.@Nullable Stop stop) {}

  /** Runs what comes before all candidates. */
  Prepared prepare() throws InterruptedException {
    for (int round = 1; ; round++) {
      String session = requests.session(PREPARATION, round);
      StepLine.Stop stop =
          line(session, true, new FiguresCount()).run(task.prepare(), "prepare step");
      if (stop == null) {
        SessionLine.Base base = sessions.locate(session);
        return new Prepared(session, base.reference(), base.stop());
      }
      if (!anew(stop, round)) {
        return new Prepared(session, null, stop);
      }
      end(session);
      retries.pause().before(round);
    }
  }

  /** Forgets what was prepared. */
  void end(String session) throws InterruptedException {
    farewells.say(requests, session);
  }

  /** The verdict on a candidate that could not even begin. */
  SampleVerdict notRun(int candidate, StepLine.Stop why) {
    return verdict(
        candidate, new StepLine.Stop(why.status(), "not run: " + why.reason(), false), null);
  }

  /**
   * Runs a candidate and what checks it.
   *
   * @param candidate its number, from 1
   * @param reference the state that it starts from, or null for none
   */
  SampleVerdict candidate(int candidate, @Nullable String reference) throws InterruptedException {
    FiguresCount count = new FiguresCount();
    for (int round = 1; ; round++) {
      StepLine.Stop stop = attempt(candidate, round, reference, count);
      if (stop == null || !anew(stop, round)) {
        return verdict(candidate, stop, count);
      }
      retries.pause().before(round);
    }
  }

  private StepLine.@Nullable Stop attempt(
      int candidate, int round, @Nullable String reference, FiguresCount count)
      throws InterruptedException {
    Task.Candidate tried = task.candidates().get(candidate - 1);
    boolean stateful = task.needsSession(tried);
    String session = requests.session(candidate, round);
    if (reference != null) {
      StepLine.Stop unmade = sessions.fork(session, reference, task.reseed());
      if (unmade != null) {
        return unmade;
      }
    }
    StepLine line = line(session, stateful, count);
    StepLine.Stop stop = line.run(tried.steps(), "step");
    if (stop == null) {
      stop = line.run(task.check(), "check step");
    }
    if (stateful) {
      end(session);
    }
    return stop;
  }

  private StepLine line(String session, boolean stateful, FiguresCount count) {
    return new StepLine(requests, retries, session, stateful, count);
  }

  private boolean anew(StepLine.Stop stop, int round) {
    return stop.lost() && task.repeatable() && round <= retries.more();
  }

  private SampleVerdict verdict(
      int candidate, StepLine.@Nullable Stop stop, @Nullable FiguresCount count) {
    var last = Optional.ofNullable(count).map(FiguresCount::last);
    return new SampleVerdict(
        task.nameOf(candidate),
        task.group(),
        task.sampleOf(candidate),
        stop == null ? Status.PASSED : stop.status(),
        stop == null ? null : stop.reason(),
        last.map(result -> result.outcome().name()).orElse(null),
        count == null ? SampleVerdict.Figures.NONE : count.figures(),
        stop == null ? null : Excerpt.output(last.orElse(null)));
  }
}
