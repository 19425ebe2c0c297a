package dev.stepwell.worker.sandbox.enroot;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.stepwell.worker.sandbox.Availability;
import dev.stepwell.worker.sandbox.IsolationContract;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.SandboxBackend;
import dev.stepwell.worker.sandbox.SandboxLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Enroot with the best limits that this machine offers. */
class EnrootIT extends IsolationContract {
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

  private EnrootSettings settings = EnrootSettings.defaults();
  private Path image = Path.of("/nowhere.sqsh");

  /** Whether control groups are used. */
  boolean cgroups() {
    return true;
  }

  @Override
  protected void requireMachinery() throws Exception {
    Path folder = TestEnroot.openFolder();
    settings = new EnrootSettings(TestEnroot.program(), "nobody", folder, cgroups());
    Availability found = EnrootBackend.probe(settings);
    System.out.println("enroot tests: " + found.reason());
    assumeThat(found.usable()).as(found.reason()).isTrue();
    image = TestEnroot.image(folder);
  }

  @Override
  protected SandboxBackend open() throws Exception {
    return EnrootBackend.open(settings);
  }

  @Override
  protected Profile profile(SandboxLimits limits) {
    return super.profile(limits).withSquashfs(image);
  }

  @Override
  protected String python() {
    return "/usr/bin/python3";
  }

  @Override
  protected boolean countsRefusals() {
    return measures();
  }

  @Override
  protected boolean measures() {
    return backend.description().contains("control groups version");
  }

  @Override
  protected List<String> leftovers(String id) throws IOException {
    if (!Files.isDirectory(CGROUPS)) {
      return List.of();
    }
    try (Stream<Path> groups = Files.find(CGROUPS, 6, (path, a) -> a.isDirectory())) {
      return groups.map(Path::toString).filter(path -> path.contains(id)).toList();
    }
  }
}
