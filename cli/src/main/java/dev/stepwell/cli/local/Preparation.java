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

  /** The profiles that come with Stepwell. */
  private static final Set<String> BUILT_IN = Set.of(DEFAULT_PROFILE, "data");

  private Preparation() {}

  /**
   * Installs and makes what is missing, with progress on standard error.
   *
   * @param profiles what is wanted beside the default profile: those that come with Stepwell, and
   *     those that are called like an image of the user's own; others can't be got ready here
   * @return the settings that tell a worker of it
   */
  static Map<String, String> prepare(
      StepwellHome home, BackendName backend, List<String> profiles) {
    BackendName made = backend == BackendName.AUTO ? bestHere() : backend;
    Set<String> images = new LinkedHashSet<>(List.of(DEFAULT_PROFILE));
    profiles.stream().filter(each -> canBeMade(home, each)).forEach(images::add);
    if (made == BackendName.BUBBLEWRAP) {
      needBubblewrap(home);
      // On the machine's own /usr it needs no root folder.
      images.remove(DEFAULT_PROFILE);
    } else if (made == BackendName.ENROOT && !onPath("enroot")) {
      throw new CommandException(
          "there is no enroot on the path; install 4.1 or newer, as docs/enroot.md says");
    }
    return makeImages(home, made, images);
  }

  /** What the worker will choose by itself; bubblewrap is what can be installed. */
  private static BackendName bestHere() {
    if (EngineProbe.answers(System.getenv("DOCKER_HOST"))) {
      return BackendName.DOCKER;
    }
    return !onPath("bwrap") && onPath("enroot") ? BackendName.ENROOT : BackendName.BUBBLEWRAP;
  }

  private static void needBubblewrap(StepwellHome home) {
    if (!onPath("bwrap") && home.runScript("bin/setup-tool", List.of("bubblewrap")) != 0) {
      throw new CommandException("there is no bubblewrap, and nothing runs without a sandbox");
    }
  }

  /** One that is neither fails where it is used, with a message that names it. */
  private static boolean canBeMade(StepwellHome home, String profile) {
    return BUILT_IN.contains(profile)
        || home.linesOfScript("images/list", List.of()).stream()
            .anyMatch(line -> line.startsWith(profile + "\t") && !line.contains("\tunknown\t"));
  }

  /** The profiles of the images' names, each naming its image. */
  private static Map<String, String> makeImages(
      StepwellHome home, BackendName backend, Set<String> images) {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String image : images) {
      home.answerOfScript("images/build", List.of(image, "--backend", backend.setting()));
      settings.put("profile." + image + ".image", image);
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
