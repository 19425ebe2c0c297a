package dev.stepwell.worker.sandbox.docker;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a Docker engine is reached and used; immutable.
 *
 * @param workerId whose the containers are, as their label says
 * @param host the engine, such as {@code unix:///var/run/docker.sock}; null for what {@code
 *     DOCKER_HOST} says, or else the usual socket
 * @param answerTimeout how long one answer of the engine may take
 * @param lifetime how long after its making a running container counts as forgotten, so that any
 *     worker's {@code reap()} may remove it; longer than the longest wait in a pool and the longest
 *     step together
 * @param scratchFolder where folders are made that sandboxes see, if the engine is on this machine
 */
public record DockerSettings(
    String workerId,
    @Nullable URI host,
    Duration answerTimeout,
    Duration lifetime,
    Path scratchFolder) {
  /** An engine under load takes seconds to start a container; a minute means it won't. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(1);

  private static final Duration LIFETIME = Duration.ofHours(6);

  /**
   * The engine that {@code DOCKER_HOST} names, or else the usual socket's; the machine's folder for
   * temporary files.
   */
  public static DockerSettings defaults(String workerId) {
    return new DockerSettings(
        workerId,
        null,
        ANSWER_TIMEOUT,
        LIFETIME,
        Path.of(System.getProperty("java.io.tmpdir", "/tmp")));
  }
}
