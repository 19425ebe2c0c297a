package dev.stepwell.worker.config;

import static dev.stepwell.worker.config.Domain.list;
import static dev.stepwell.worker.config.Domain.number;
import static dev.stepwell.worker.config.Domain.text;
import static dev.stepwell.worker.config.Fallback.computed;
import static dev.stepwell.worker.config.Kind.CORES;
import static dev.stepwell.worker.config.Kind.COUNT;
import static dev.stepwell.worker.config.Kind.DURATION;
import static dev.stepwell.worker.config.Kind.SIZE;

/**
 * Every setting of a profile, written {@code profile.NAME.} and its key: the other half of the
 * table in {@link WorkerSetting}.
 */
enum ProfileSetting implements Setting {
  IMAGE(
      "image",
      text(),
      computed("the profile's name for docker, none for the others"),
      "What sandboxes run from, for every backend: the name of an image that `stepwell images` made, or"
          + " a reference such as `python:3.12-slim`, which the docker backend alone understands. It"
          + " needs CPython 3.11 or newer and nothing else. Empty: as if it were not set."),
  ROOT_FOLDER(
      "root.folder",
      text(),
      Fallback.EMPTY,
      "The root file system, for the bubblewrap backend; an absolute path. Empty: what `.image` names,"
          + " or where that is not set the machine's own `/usr`, read-only."),
  SQUASHFS(
      "squashfs",
      text(),
      Fallback.EMPTY,
      "The squashfs file, for the enroot backend; an absolute path. Empty: what `.image` names, or where"
          + " that is not set the image of the profile's name. Its Python needs the module `ctypes`,"
          + " and there must be a `/bin/sh`."),
  PYTHON(
      "python",
      text(),
      Fallback.of("python3"),
      "The interpreter inside the sandbox: a path, or a name looked up in the sandbox's `PATH`."),
  IMPORTS(
      "imports", list(), Fallback.EMPTY, "Modules that waiting sandboxes have imported already."),
  MOUNTS(
      "mounts",
      list(),
      Fallback.EMPTY,
      "Aliases of folders that its sandboxes see, read-only, as `/data/ALIAS`: `mount.ALIAS` says"
          + " which folder that is."),
  MEMORY(
      "memory",
      number(SIZE, "32MiB", "1024GiB"),
      Fallback.of("512MiB"),
      "Memory of everything in a sandbox, its files included."),
  PROCESSES(
      "processes",
      number(COUNT, "8", "32768"),
      Fallback.of("128"),
      "Processes and threads at once in a sandbox."),
  CPUS(
      "cpus",
      number(CORES, "0.01", "1024"),
      Fallback.of("1"),
      "Processor cores that a sandbox may use. Numeric libraries are told to use as many threads."),
  DISK(
      "disk",
      number(SIZE, "64KiB", "1024GiB"),
      Fallback.of("64MiB"),
      "Size of each of a sandbox's two writable folders, `/tmp` and `/workspace`."),
  WALL_TIME(
      "wall.time",
      number(DURATION, "1ms", "168h"),
      computed("`30s`, or `.wall.time.max` if that is less"),
      "Wall-clock time of a step that asks for none."),
  WALL_TIME_MAX(
      "wall.time.max",
      number(DURATION, "1ms", "168h"),
      Fallback.of("10m"),
      "The most that a step may ask for."),
  STEP_MEMORY(
      "step.memory",
      number(SIZE, "8MiB", "1024GiB"),
      computed("three quarters of `.step.memory.max`"),
      "Private memory of the process of a step that asks for none."),
  STEP_MEMORY_MAX(
      "step.memory.max",
      number(SIZE, "16MiB", "1024GiB"),
      computed("`.memory`"),
      "The most that a step may ask for. At most `.memory`."),
  OUTPUT(
      "output",
      number(SIZE, "0", "64MiB").zero("none is kept, only counted"),
      computed("`64KiB`, or `.output.max` if that is less"),
      "Bytes kept of each of stdout and stderr of a step that asks for none."),
  OUTPUT_MAX(
      "output.max",
      number(SIZE, "0", "64MiB").zero("none is kept, only counted"),
      Fallback.of("256KiB"),
      "The most that a step may ask for. Results must fit in the reply topic's"
          + " `max.message.bytes`."),
  STATE(
      "state",
      number(SIZE, "0", "1024GiB").zero("steps leave no state"),
      computed("`64MiB`, or `.state.max` if that is less"),
      "Size of all variables that a step may leave that asks for none."),
  STATE_MAX(
      "state.max",
      number(SIZE, "0", "1024GiB").zero("steps leave no state"),
      Fallback.of("256MiB"),
      "The most that a step may ask for."),
  STATE_NEW(
      "state.new",
      number(SIZE, "0", "1024GiB").zero("steps leave nothing that was not there before"),
      Fallback.of("256MiB"),
      "Bytes that one step may add to what is stored, for variables and for files each."),
  STATE_COMPONENTS(
      "state.components",
      number(COUNT, "1", "1000000"),
      Fallback.of("50000"),
      "Groups of variables that share objects, at most."),
  STATE_MANIFEST(
      "state.manifest",
      number(SIZE, "64KiB", "256MiB"),
      Fallback.of("8MiB"),
      "Size of what a snapshot says about its variables: names, and where each one is."),
  WORKSPACE_BYTES(
      "workspace.bytes",
      number(SIZE, "0", "1024GiB").zero("no file with content is kept"),
      computed("`.disk`"),
      "Size of all files of `/workspace` that a step may leave."),
  WORKSPACE_FILES(
      "workspace.files",
      number(COUNT, "0", "1000000").zero("no file is kept"),
      Fallback.of("10000"),
      "Files, folders and links of `/workspace` that a step may leave."),
  POOL_MIN(
      "pool.min",
      number(COUNT, "0", "10000").zero("none is kept waiting until there is demand"),
      computed("`1` for the default profile if `.pool.max` allows it, else `0`"),
      "Sandboxes kept waiting however little demand there is."),
  POOL_MAX(
      "pool.max",
      number(COUNT, "0", "10000").zero("every step waits for a sandbox of its own to start"),
      Fallback.of("16"),
      "Sandboxes kept waiting however much demand there is.");

  @SuppressWarnings("ImmutableEnumChecker") // Its parts are records of immutable values.
  private final Spec spec;

  ProfileSetting(String key, Domain domain, Fallback fallback, String meaning) {
    this.spec = new Spec(Section.PROFILE, key, domain, fallback, meaning);
  }

  @Override
  public Spec spec() {
    return spec;
  }
}
