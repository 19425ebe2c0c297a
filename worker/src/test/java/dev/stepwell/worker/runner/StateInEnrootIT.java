package dev.stepwell.worker.runner;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.stepwell.worker.sandbox.Availability;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.SandboxBackend;
import dev.stepwell.worker.sandbox.enroot.EnrootBackend;
import dev.stepwell.worker.sandbox.enroot.EnrootSettings;
import dev.stepwell.worker.sandbox.enroot.TestEnroot;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;

/** State in enroot's sandboxes. */
final class StateInEnrootIT extends StateInSandbox {
  private static EnrootSettings settings = EnrootSettings.defaults();
  private static Path image = Path.of("/nowhere.sqsh");

  @BeforeAll
  static void makeImage() throws Exception {
    Path folder = TestEnroot.openFolder();
    settings = new EnrootSettings(TestEnroot.program(), "nobody", folder, true);
    Availability found = EnrootBackend.probe(settings);
    assumeThat(found.usable()).as(found.reason()).isTrue();
    image = TestEnroot.image(folder);
  }

  @Override
  SandboxBackend open() throws Exception {
    return EnrootBackend.open(settings);
  }

  @Override
  String image() {
    return "none";
  }

  @Override
  Profile adapted(Profile profile) {
    return profile.withSquashfs(image);
  }
}
