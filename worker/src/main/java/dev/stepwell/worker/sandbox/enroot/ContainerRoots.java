package dev.stepwell.worker.sandbox.enroot;

import dev.stepwell.worker.sandbox.Owner;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.SandboxException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Container roots of this machine: one for each image, made by whichever worker comes first.
 * Thread-safe.
 *
 * <p>All work on them is a script's, which runs as the sandboxes' user: what an image holds, and
 * what that user could put there, is never touched with a worker's own rights.
 *
 * @param helper runs the script
 * @param self this process, which uses what it asks for until it ends
 * @param made the names of the roots that are known to be whole, by image
 */
record ContainerRoots(Helper helper, Owner self, Map<SquashfsImage, String> made) {
  private static final String SCRIPT = Scripts.read("roots.sh");

  /** Large images on slow disks take minutes, and others may be before us. */
  private static final long MAKE_MS = TimeUnit.MINUTES.toMillis(30);

  private static final long SWEEP_MS = TimeUnit.MINUTES.toMillis(10);
  private static final int UNUSABLE = 65;
  private static final String SEPARATOR = "\n";

  ContainerRoots(Helper helper, Owner self) {
    this(helper, self, new ConcurrentHashMap<>());
  }

  /** It is not as it was: {@link #require} looks again. */
  void forget(SquashfsImage image) {
    made.remove(image);
  }

  /**
   * Sees to it that the image's root is there and whole; takes seconds where it isn't.
   *
   * @return what enroot calls it
   * @throws SandboxException if it can't be made; permanent if the image is of no use
   */
  String require(Profile profile, SquashfsImage image)
      throws SandboxException, InterruptedException {
    String known = made.get(image);
    if (known != null) {
      return known;
    }
    Helper.Answer answer =
        run(
            MAKE_MS,
            "make",
            image.key(),
            image.path().toString(),
            self.nameOf("user"),
            Integer.toString(helper.user().uid()),
            Integer.toString(helper.user().gid()));
    if (answer.status() != 0) {
      String message =
          "no container root could be made of the squashfs image "
              + image.path()
              + " of profile "
              + profile.name()
              + ": "
              + answer.output().strip();
      throw answer.status() == UNUSABLE
          ? SandboxException.permanent(message, null)
          : SandboxException.passing(message, null);
    }
    made.put(image, image.key());
    return image.key();
  }

  /**
   * Removes roots that nobody has finished or will use again.
   *
   * @return how many
   */
  int sweep() throws SandboxException, InterruptedException {
    Helper.Answer owners = run(SWEEP_MS, "owners");
    List<String> command = new ArrayList<>(List.of("sweep"));
    for (String name : owners.output().split(SEPARATOR, -1)) {
      if (isGone(name)) {
        command.add(name);
      }
    }
    Helper.Answer answer = run(SWEEP_MS, command.toArray(String[]::new));
    if (answer.status() != 0) {
      throw SandboxException.passing(
          "container roots could not be looked through: " + answer.output().strip(), null);
    }
    return (int) answer.output().lines().filter(line -> line.startsWith("i_")).count();
  }

  private static boolean isGone(String name) throws SandboxException {
    try {
      Optional<Owner> owner = Owner.ofName(name);
      return owner.isPresent() && owner.get().isGone();
    } catch (IOException e) {
      throw SandboxException.passing("/proc can't be read: " + e.getMessage(), e);
    }
  }

  private Helper.Answer run(long timeoutMs, String... arguments)
      throws SandboxException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "roots.sh"));
    command.addAll(List.of(arguments));
    try {
      return helper.run(timeoutMs, command);
    } catch (IOException e) {
      throw SandboxException.passing(
          "container roots could not be looked after: " + e.getMessage(), e);
    }
  }
}
