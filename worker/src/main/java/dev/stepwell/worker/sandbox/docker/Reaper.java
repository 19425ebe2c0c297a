package dev.stepwell.worker.sandbox.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.Container;
import dev.stepwell.worker.sandbox.SandboxException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Removes containers that no worker holds any more.
 *
 * @param engine where they are
 * @param now the time to judge them by
 */
record Reaper(Engine engine, Instant now) {
  /** A living worker has looked at an ended container, and removed it, long before. */
  private static final Duration ENDED_GRACE = Duration.ofMinutes(2);

  /** A container is started right after it is made. */
  private static final Duration STARTING_GRACE = Duration.ofMinutes(10);

  /**
   * Does it once.
   *
   * @param spared ids of this worker's own living sandboxes
   * @return how many were removed
   */
  int reap(Set<String> spared) throws SandboxException {
    List<Container> containers =
        engine
            .ask(
                "list containers",
                client ->
                    client
                        .listContainersCmd()
                        .withShowAll(true)
                        .withLabelFilter(List.of(ContainerSpec.WORKER))
                        .exec())
            .orElse(List.of());
    int removed = 0;
    for (Container container : containers) {
      boolean own =
          List.of(container.getNames()).stream().anyMatch(n -> spared.contains(n.substring(1)));
      if (!own && isForgotten(container)) {
        DockerSandbox.remove(engine, container.getId());
        removed++;
      }
    }
    return removed;
  }

  private boolean isForgotten(Container container) throws SandboxException {
    if (isPast(container.getLabels())) {
      return true;
    }
    Instant made = Instant.ofEpochSecond(container.getCreated());
    return switch (container.getState()) {
      case "created" -> made.plus(STARTING_GRACE).isBefore(now);
      case "exited", "dead" ->
          ended(container.getId()).orElse(made).plus(ENDED_GRACE).isBefore(now);
      default -> false;
    };
  }

  private boolean isPast(Map<String, String> labels) {
    String expires = labels.getOrDefault(ContainerSpec.EXPIRES, "");
    return expires.matches("\\d{1,18}")
        && Instant.ofEpochSecond(Long.parseLong(expires)).isBefore(now);
  }

  private Optional<Instant> ended(String container) throws SandboxException {
    try {
      return engine
          .ask("inspect a container", client -> client.inspectContainerCmd(container).exec())
          .map(InspectContainerResponse::getState)
          .map(InspectContainerResponse.ContainerState::getFinishedAt)
          .map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
