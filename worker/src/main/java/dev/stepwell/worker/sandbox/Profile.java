package dev.stepwell.worker.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A named kind of sandbox; immutable.
 *
 * @param name what requests call it
 * @param image the container image, for backends that run images
 * @param rootFolder the root file system, for backends that run folders; null for the host's own
 *     {@code /usr}, read-only
 * @param squashfs the image file, for backends that run squashfs images; null for none
 * @param python the interpreter's path inside the sandbox
 * @param imports modules imported before a step arrives
 * @param environment the variables that every process in the sandbox starts with
 * @param sandboxLimits what holds for the sandbox as a whole
 * @param stepLimits what holds for a step that asks for nothing else, and the most it may ask for
 * @param stateLimits what a step may leave
 * @param mounts folders of the worker's machine that its sandboxes see, read-only, each as {@link
 *     Sandbox#DATA} and its alias; absolute paths by alias, in the aliases' order
 */
public record Profile(
    String name,
    String image,
    @Nullable Path rootFolder,
    @Nullable Path squashfs,
    String python,
    List<String> imports,
    Map<String, String> environment,
    SandboxLimits sandboxLimits,
    StepLimits stepLimits,
    StateLimits stateLimits,
    SortedMap<String, Path> mounts) {
  public Profile {
    imports = List.copyOf(imports);
    environment = Map.copyOf(environment);
    mounts = Collections.unmodifiableSortedMap(new TreeMap<>(mounts));
  }

  /** A profile without a squashfs image and mounts, whose steps may leave what is usual. */
  public Profile(
      String name,
      String image,
      @Nullable Path rootFolder,
      String python,
      List<String> imports,
      Map<String, String> environment,
      SandboxLimits sandboxLimits,
      StepLimits stepLimits) {
    this(
        name,
        image,
        rootFolder,
        null,
        python,
        imports,
        environment,
        sandboxLimits,
        stepLimits,
        StateLimits.usual(sandboxLimits),
        new TreeMap<>());
  }

  /** The same profile with another squashfs image. */
  public Profile withSquashfs(@Nullable Path other) {
    return new Profile(
        name,
        image,
        rootFolder,
        other,
        python,
        imports,
        environment,
        sandboxLimits,
        stepLimits,
        stateLimits,
        mounts);
  }

  /** The same profile with other folders in place of those that it mounts. */
  public Profile withMounts(Map<String, Path> folders) {
    return new Profile(
        name,
        image,
        rootFolder,
        squashfs,
        python,
        imports,
        environment,
        sandboxLimits,
        stepLimits,
        stateLimits,
        new TreeMap<>(folders));
  }

  /** The same profile with other variables in place of its own. */
  public Profile withEnvironment(Map<String, String> variables) {
    return new Profile(
        name,
        image,
        rootFolder,
        squashfs,
        python,
        imports,
        variables,
        sandboxLimits,
        stepLimits,
        stateLimits,
        mounts);
  }

  /**
   * Refuses to go on where a mounted folder is not there, before anything is started.
   *
   * @throws SandboxException naming the mount; permanent, so that requests are told at once
   */
  public void requireMounts() throws SandboxException {
    for (Map.Entry<String, Path> mount : mounts.entrySet()) {
      if (!Files.isDirectory(mount.getValue())) {
        throw noMount(mount.getKey(), null);
      }
    }
  }

  /** What to say of a mount whose folder can't be had. */
  public SandboxException noMount(String alias, @Nullable Throwable cause) {
    return SandboxException.permanent(
        "profile %s mounts %s, and there is no folder %s; bring it back, or change mount.%s"
            .formatted(name, alias, mounts.get(alias), alias),
        cause);
  }
}
