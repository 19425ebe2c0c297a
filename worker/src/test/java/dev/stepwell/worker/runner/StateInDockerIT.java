package dev.stepwell.worker.runner;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.stepwell.worker.sandbox.Availability;
import dev.stepwell.worker.sandbox.SandboxBackend;
import dev.stepwell.worker.sandbox.docker.DockerBackend;
import dev.stepwell.worker.sandbox.docker.DockerSettings;
import java.util.Optional;

/** State in Docker's containers. */
final class StateInDockerIT extends StateInSandbox {
  private static final DockerSettings SETTINGS = DockerSettings.defaults("state");

  @Override
  SandboxBackend open() throws Exception {
    Availability found = DockerBackend.probe(SETTINGS);
    assumeThat(found.usable()).as(found.reason()).isTrue();
    return DockerBackend.connect(SETTINGS);
  }

  @Override
  String image() {
    return Optional.ofNullable(System.getProperty("STEPWELL_TEST_IMAGE"))
        .or(() -> Optional.ofNullable(System.getenv("STEPWELL_TEST_IMAGE")))
        .orElse("stepwell/plain:latest");
  }
}
