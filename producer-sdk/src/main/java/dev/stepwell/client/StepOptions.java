package dev.stepwell.client;

import dev.stepwell.protocol.FileInput;
import dev.stepwell.protocol.RequestLimits;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All of a step that has a default; immutable. Each method gives a copy with one thing changed. */
record StepOptions(
    @Nullable String stdin,
    @Nullable String profile,
    RequestLimits limits,
    Map<String, String> environment,
    @Nullable Long deadlineMs,
    List<FileInput> files,
    List<String> artifacts,
    boolean strictState,
    @Nullable String prelude) {
  static final StepOptions DEFAULTS =
      new StepOptions(
          null, null, RequestLimits.DEFAULTS, Map.of(), null, List.of(), List.of(), false, null);

  StepOptions withStdin(String text) {
    return new StepOptions(
        text, profile, limits, environment, deadlineMs, files, artifacts, strictState, prelude);
  }

  StepOptions withProfile(String name) {
    return new StepOptions(
        stdin, name, limits, environment, deadlineMs, files, artifacts, strictState, prelude);
  }

  StepOptions withLimits(RequestLimits changed) {
    return new StepOptions(
        stdin, profile, changed, environment, deadlineMs, files, artifacts, strictState, prelude);
  }

  StepOptions withEnvironment(Map<String, String> variables) {
    return new StepOptions(
        stdin, profile, limits, variables, deadlineMs, files, artifacts, strictState, prelude);
  }

  StepOptions withDeadlineMs(long latest) {
    return new StepOptions(
        stdin, profile, limits, environment, latest, files, artifacts, strictState, prelude);
  }

  StepOptions withFiles(List<FileInput> put) {
    return new StepOptions(
        stdin, profile, limits, environment, deadlineMs, put, artifacts, strictState, prelude);
  }

  StepOptions withArtifacts(List<String> patterns) {
    return new StepOptions(
        stdin, profile, limits, environment, deadlineMs, files, patterns, strictState, prelude);
  }

  StepOptions withStrictState() {
    return new StepOptions(
        stdin, profile, limits, environment, deadlineMs, files, artifacts, true, prelude);
  }

  StepOptions withPrelude(String source) {
    return new StepOptions(
        stdin, profile, limits, environment, deadlineMs, files, artifacts, strictState, source);
  }
}
