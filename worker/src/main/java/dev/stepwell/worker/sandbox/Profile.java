package dev.stepwell.worker.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A named kind of sandbox; immutable.
 *
 * @param name what requests call it
 * @param image the container image, for backends that run images
 * @param rootFolder the root file system, for backends that run folders; null for the host's own
 *     {@code /usr}, read-only
 * @param python the interpreter's path inside the sandbox
 * @param imports modules imported before a step arrives
 * @param environment the variables that every process in the sandbox starts with
 * @param sandboxLimits what holds for the sandbox as a whole
 * @param stepLimits what holds for a step that asks for nothing else, and the most it may ask for
 * @param stateLimits what a step may leave
 */
public record Profile(
    String name,
    String image,
    @Nullable Path rootFolder,
    String python,
    List<String> imports,
    Map<String, String> environment,
    SandboxLimits sandboxLimits,
    StepLimits stepLimits,
    StateLimits stateLimits) {
  public Profile {
    imports = List.copyOf(imports);
    environment = Map.copyOf(environment);
  }

  /** A profile whose steps may leave what is usual. */
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
        python,
        imports,
        environment,
        sandboxLimits,
        stepLimits,
        StateLimits.usual(sandboxLimits));
  }
}
