package dev.stepwell.worker.config;

import dev.stepwell.worker.pool.PoolProfile;
import dev.stepwell.worker.sandbox.ImageNames;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.SandboxLimits;
import dev.stepwell.worker.sandbox.StateLimits;
import dev.stepwell.worker.sandbox.StepLimits;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one profile. Used by one thread, once. */
final class ProfileReader {
  private static final Pattern MODULE =
      Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*");

  private static final long DEFAULT_WALL_TIME_MS = 30_000;
  private static final long DEFAULT_OUTPUT_BYTES = 64L << 10;
  private static final long DEFAULT_STATE_BYTES = 64L << 20;
  private static final int MILLIS_PER_CORE = 1000;

  private final String name;
  private final String prefix;
  private final Map<String, String> settings;
  private final Path imageFolder;
  private final Map<String, Path> mounts;
  private final Values values;

  /**
   * @param settings all settings by full name
   * @param imageFolder where {@code stepwell images} leaves what it makes
   * @param mounts the folders that it may mount, by alias
   */
  ProfileReader(
      String name, Map<String, String> settings, Path imageFolder, Map<String, Path> mounts) {
    this.mounts = mounts;
    this.name = name;
    this.imageFolder = imageFolder;
    this.prefix = NameChecks.PROFILE_PREFIX + name + ".";
    this.settings = settings;
    this.values = new Values(prefix, settings, BuiltInProfiles.of(name));
  }

  PoolProfile read(boolean isDefault) {
    SandboxLimits sandbox = sandboxLimits();
    Profile profile =
        new Profile(
            name,
            ImageNames.reference(image().isEmpty() ? name : image()),
            rootFolder(),
            squashfs(),
            values.text(ProfileSetting.PYTHON),
            values.list(ProfileSetting.IMPORTS),
            environment(sandbox.cpuMillis()),
            sandbox,
            stepLimits(sandbox),
            stateLimits(sandbox),
            MountsReader.choose(
                values.name(ProfileSetting.MOUNTS), values.list(ProfileSetting.MOUNTS), mounts));
    for (String module : profile.imports()) {
      if (!MODULE.matcher(module).matches()) {
        throw ConfigException.badValue(
            values.name(ProfileSetting.IMPORTS), module, "modules' names, separated by commas");
      }
    }
    int maxIdle = values.integer(ProfileSetting.POOL_MAX);
    int minIdle =
        values.integer(ProfileSetting.POOL_MIN, () -> isDefault ? Math.min(1, maxIdle) : 0);
    bound(ProfileSetting.POOL_MIN, minIdle).atMost(bound(ProfileSetting.POOL_MAX, maxIdle));
    return new PoolProfile(profile, minIdle, maxIdle);
  }

  /** What the profile names; empty if it names nothing. */
  private String image() {
    String image = values.text(ProfileSetting.IMAGE, () -> "");
    if (!image.isEmpty() && !ImageNames.isReference(image) && !ImageNames.isName(image)) {
      throw ConfigException.badValue(
          values.name(ProfileSetting.IMAGE),
          image,
          "a name of a-z, 0-9 and single . _ - between them, at most "
              + ImageNames.MAX_LENGTH
              + " long; or a reference with / or :, such as python:3.12-slim");
    }
    return image;
  }

  /** What was named but is not there is the backend's to refuse: it never becomes the machine's. */
  private @Nullable Path rootFolder() {
    Path named = absolutePath(ProfileSetting.ROOT_FOLDER);
    if (named != null) {
      return named;
    }
    return image().isEmpty() ? null : ImageNames.rootFolder(imageFolder, image());
  }

  private Path squashfs() {
    Path named = absolutePath(ProfileSetting.SQUASHFS);
    return named == null
        ? ImageNames.squashfs(imageFolder, image().isEmpty() ? name : image())
        : named;
  }

  private @Nullable Path absolutePath(ProfileSetting setting) {
    String written = values.text(setting);
    if (written.isEmpty()) {
      return null;
    }
    Path path = Path.of(written);
    if (!path.isAbsolute()) {
      throw ConfigException.badValue(values.name(setting), written, "an absolute path, or empty");
    }
    return path;
  }

  private SandboxLimits sandboxLimits() {
    return new SandboxLimits(
        values.number(ProfileSetting.MEMORY),
        values.integer(ProfileSetting.PROCESSES),
        values.integer(ProfileSetting.CPUS),
        values.number(ProfileSetting.DISK));
  }

  private Map<String, String> environment(int cpuMillis) {
    Map<String, String> environment = new TreeMap<>();
    // Numeric libraries start a thread per core of the machine, not per core they may use.
    int threads = (cpuMillis + MILLIS_PER_CORE - 1) / MILLIS_PER_CORE;
    environment.put("OMP_NUM_THREADS", Integer.toString(threads));
    environment.put("OPENBLAS_NUM_THREADS", Integer.toString(threads));
    addVariables(NameChecks.ENVIRONMENT_PREFIX, BuiltInProfiles.of(name), environment);
    addVariables(prefix + NameChecks.ENVIRONMENT_PREFIX, settings, environment);
    return environment;
  }

  private static void addVariables(
      String prefix, Map<String, String> from, Map<String, String> environment) {
    from.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            if (value.indexOf('\0') >= 0) {
              throw ConfigException.badValue(key, value, "without a NUL character");
            }
            environment.put(key.substring(prefix.length()), value);
          }
        });
  }

  private StepLimits stepLimits(SandboxLimits sandbox) {
    StepLimits.Bounds maximum =
        new StepLimits.Bounds(
            values.number(ProfileSetting.WALL_TIME_MAX),
            values.number(ProfileSetting.STEP_MEMORY_MAX, sandbox::memoryBytes),
            values.number(ProfileSetting.OUTPUT_MAX),
            values.number(ProfileSetting.STATE_MAX));
    StepLimits.Bounds defaults =
        new StepLimits.Bounds(
            values.number(
                ProfileSetting.WALL_TIME,
                () -> Math.min(DEFAULT_WALL_TIME_MS, maximum.wallTimeMs())),
            values.number(ProfileSetting.STEP_MEMORY, () -> maximum.memoryBytes() / 4 * 3),
            values.number(
                ProfileSetting.OUTPUT, () -> Math.min(DEFAULT_OUTPUT_BYTES, maximum.outputBytes())),
            values.number(
                ProfileSetting.STATE, () -> Math.min(DEFAULT_STATE_BYTES, maximum.stateBytes())));
    checkTogether(defaults, maximum, sandbox);
    return new StepLimits(defaults, maximum);
  }

  private StateLimits stateLimits(SandboxLimits sandbox) {
    return new StateLimits(
        values.number(ProfileSetting.STATE_NEW),
        values.integer(ProfileSetting.STATE_COMPONENTS),
        values.integer(ProfileSetting.STATE_MANIFEST),
        values.number(ProfileSetting.WORKSPACE_BYTES, sandbox::diskBytes),
        values.integer(ProfileSetting.WORKSPACE_FILES));
  }

  private void checkTogether(
      StepLimits.Bounds defaults, StepLimits.Bounds maximum, SandboxLimits sandbox) {
    bound(ProfileSetting.WALL_TIME, defaults.wallTimeMs())
        .atMost(bound(ProfileSetting.WALL_TIME_MAX, maximum.wallTimeMs()));
    bound(ProfileSetting.STEP_MEMORY, defaults.memoryBytes())
        .atMost(bound(ProfileSetting.STEP_MEMORY_MAX, maximum.memoryBytes()));
    bound(ProfileSetting.STEP_MEMORY_MAX, maximum.memoryBytes())
        .atMost(bound(ProfileSetting.MEMORY, sandbox.memoryBytes()));
    bound(ProfileSetting.OUTPUT, defaults.outputBytes())
        .atMost(bound(ProfileSetting.OUTPUT_MAX, maximum.outputBytes()));
    bound(ProfileSetting.STATE, defaults.stateBytes())
        .atMost(bound(ProfileSetting.STATE_MAX, maximum.stateBytes()));
  }

  private Bound bound(Setting setting, long value) {
    return new Bound(values.name(setting), setting.spec().domain().kind(), value);
  }
}
