package dev.stepwell.cli.replay;

import dev.stepwell.cli.log.RecordedRequest;
import dev.stepwell.cli.run.RunId;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Makes of recorded requests those that are published now; immutable. */
final class RequestMapper {
  private final RunId run;

  /** What profiles are called here; the one without a name is the empty text. */
  private final Map<String, String> profiles;

  /** Values for what was left out of the log. */
  private final Map<String, String> environment;

  private final boolean keepDeadlines;
  private final LongSupplier clockMs;

  RequestMapper(
      RunId run,
      Map<String, String> profiles,
      Map<String, String> environment,
      boolean keepDeadlines,
      LongSupplier clockMs) {
    this.run = run;
    this.profiles = Map.copyOf(profiles);
    this.environment = Map.copyOf(environment);
    this.keepDeadlines = keepDeadlines;
    this.clockMs = clockMs;
  }

  /** What a recorded request or session is called in this run. */
  String id(String recorded) {
    return run.of(recorded);
  }

  /**
   * The request to publish.
   *
   * @param base the reference to start from; null where the recorded one has none
   */
  Request map(Case each, @Nullable String base) {
    return each.request instanceof ExecutionRequest step
        ? step(each, step, base)
        : operation(each, (SessionRequest) each.request, base);
  }

  private Request step(Case each, ExecutionRequest step, @Nullable String base) {
    return new ExecutionRequest(
        each.replayId,
        session(step.sessionId()),
        step.kind(),
        step.source(),
        step.argv(),
        step.stdin(),
        profile(step.profile()),
        step.limits(),
        environment(each.recorded, step.environment()),
        deadline(each.recorded, step.deadlineMs()),
        null,
        step.files(),
        step.artifacts(),
        step.strictState(),
        base,
        step.prelude());
  }

  private Request operation(Case each, SessionRequest request, @Nullable String base) {
    return new SessionRequest(
        each.replayId,
        session(request.sessionId()),
        based(request.operation(), base),
        deadline(each.recorded, request.deadlineMs()),
        null);
  }

  private static SessionOperation based(SessionOperation operation, @Nullable String base) {
    if (base == null) {
      return operation;
    }
    if (operation instanceof SessionOperation.Fork fork) {
      return new SessionOperation.Fork(base, fork.reseed());
    }
    if (operation instanceof SessionOperation.GetFile get) {
      return new SessionOperation.GetFile(get.path(), get.offset(), get.length(), base);
    }
    return operation instanceof SessionOperation.ListFiles list
        ? new SessionOperation.ListFiles(list.prefix(), list.after(), list.limit(), base)
        : operation;
  }

  private @Nullable String session(@Nullable String recorded) {
    return recorded == null ? null : run.of(recorded);
  }

  /** What a profile is called here; null for the worker's default. */
  @Nullable String profile(@Nullable String recorded) {
    String name = recorded == null ? "" : recorded;
    String mapped = profiles.getOrDefault(name, name);
    return mapped.isEmpty() ? null : mapped;
  }

  private @Nullable Long deadline(RecordedRequest recorded, @Nullable Long deadlineMs) {
    return deadlineMs == null || !keepDeadlines || recorded.atMs() == 0
        ? null
        : Math.max(0, deadlineMs - recorded.atMs() + clockMs.getAsLong());
  }

  private Map<String, String> environment(RecordedRequest recorded, Map<String, String> variables) {
    if (recorded.withheld().isEmpty()) {
      return variables;
    }
    Map<String, String> filled = new HashMap<>(variables);
    for (String name : recorded.withheld()) {
      String value = environment.get(name);
      if (value != null) {
        filled.put(name, value);
      }
    }
    return filled;
  }

  /** The variables that were left out of the log, and that nobody has given a value for. */
  List<String> stillWithheld(RecordedRequest recorded) {
    List<String> missing = new ArrayList<>(recorded.withheld());
    missing.removeIf(environment::containsKey);
    return missing;
  }
}
