package dev.stepwell.cli.local;

import dev.stepwell.cli.process.CommandException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Gets this machine ready for a backend: its program, and the images of the profiles. */
final class Preparation {
  private static final String DEFAULT_PROFILE = "plain";

  /** The profiles that images/build knows; others are the user's own to get ready. */
  private static final Set<String> BUILT = Set.of(DEFAULT_PROFILE, "data");

  private Preparation() {}

  /**
   * Installs and makes what is missing, with progress on standard error.
   *
   * @return the settings that tell a worker where it is
   */
  static Map<String, String> prepare(
      StepwellHome home, BackendName backend, List<String> profiles) {
    boolean docker =
        backend == BackendName.DOCKER
            || (backend == BackendName.AUTO && EngineProbe.answers(System.getenv("DOCKER_HOST")));
    return docker ? prepareImages(home, profiles) : prepareRoots(home, profiles);
  }

  private static Map<String, String> prepareImages(StepwellHome home, List<String> profiles) {
    Set<String> all = new LinkedHashSet<>(List.of(DEFAULT_PROFILE));
    all.addAll(profiles);
    Map<String, String> settings = new LinkedHashMap<>();
    for (String profile : all) {
      if (BUILT.contains(profile)) {
        settings.put(
            "profile." + profile + ".image",
            home.answerOfScript("images/build", List.of(profile, "--backend", "docker")));
      }
    }
    return settings;
  }

  /** The default profile runs on the machine's own /usr, so it needs no root folder. */
  private static Map<String, String> prepareRoots(StepwellHome home, List<String> profiles) {
    if (!onPath("bwrap")) {
      int status = home.runScript("bin/setup-tool", List.of("bubblewrap"));
      if (status != 0) {
        throw new CommandException("there is no bubblewrap, and nothing runs without a sandbox");
      }
    }
    Map<String, String> settings = new LinkedHashMap<>();
    for (String profile : profiles) {
      if (BUILT.contains(profile) && !profile.equals(DEFAULT_PROFILE)) {
        settings.put(
            "profile." + profile + ".root.folder",
            home.answerOfScript("images/build", List.of(profile, "--backend", "bubblewrap")));
      }
    }
    return settings;
  }

  private static boolean onPath(String program) {
    String path = System.getenv("PATH");
    if (path == null) {
      return false;
    }
    for (String folder : path.split(File.pathSeparator, -1)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
        return true;
      }
    }
    return false;
  }
}
