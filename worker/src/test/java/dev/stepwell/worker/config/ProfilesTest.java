package dev.stepwell.worker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.worker.pool.PoolProfile;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.SandboxLimits;
import dev.stepwell.worker.sandbox.StateLimits;
import dev.stepwell.worker.sandbox.StepLimits;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ProfilesTest {
  private static final long MIB = 1L << 20;

  @Test
  void plain_isThis() {
    PoolProfile plain = pooled("plain", Map.of());

    assertThat(plain)
        .isEqualTo(
            new PoolProfile(
                new Profile(
                    "plain",
                    "stepwell/plain:latest",
                    null,
                    Machine.current().imageFolder().resolve("squashfs/plain.sqsh"),
                    "python3",
                    List.of(),
                    Map.of("OMP_NUM_THREADS", "1", "OPENBLAS_NUM_THREADS", "1"),
                    new SandboxLimits(512 * MIB, 128, 1000, 64 * MIB),
                    new StepLimits(
                        new StepLimits.Bounds(30_000, 384 * MIB, 64 << 10, 64 * MIB),
                        new StepLimits.Bounds(600_000, 512 * MIB, 256 << 10, 256 * MIB)),
                    new StateLimits(256 * MIB, 50_000, 8 << 20, 64 * MIB, 10_000),
                    new TreeMap<>()),
                1,
                16));
  }

  @Test
  void data_importsAheadAndHasMoreMemory() {
    PoolProfile data = pooled("data", Map.of());

    assertThat(data.profile().image()).isEqualTo("stepwell/data:latest");
    assertThat(data.profile().imports())
        .containsExactly("numpy", "pandas", "matplotlib", "sklearn");
    assertThat(data.profile().environment()).containsEntry("MPLBACKEND", "Agg");
    assertThat(data.profile().sandboxLimits().memoryBytes()).isEqualTo(1024 * MIB);
    assertThat(data.minIdle()).isZero();
  }

  @Test
  void configuredProfile_overridesTheBuiltInFieldByField() {
    PoolProfile data =
        pooled(
            "data",
            Map.of(
                "profile.data.memory", "2GiB",
                "profile.data.cpus", "1.5",
                "profile.data.env.MPLBACKEND", "SVG",
                "profile.data.env.OMP_NUM_THREADS", "7"));

    assertThat(data.profile().imports()).contains("pandas");
    assertThat(data.profile().sandboxLimits().memoryBytes()).isEqualTo(2048 * MIB);
    assertThat(data.profile().environment())
        .isEqualTo(
            Map.of(
                "MPLBACKEND", "SVG",
                "MPLCONFIGDIR", "/tmp/matplotlib",
                "OMP_NUM_THREADS", "7",
                "OPENBLAS_NUM_THREADS", "2"));
  }

  @Test
  void configuredProfile_canEmptyWhatTheBuiltInHas() {
    assertThat(pooled("data", Map.of("profile.data.imports", "")).profile().imports()).isEmpty();
  }

  @Test
  void newProfile_startsFromTheDefaults() {
    PoolProfile geo =
        pooled("geo", Map.of("profile.geo.root.folder", "/srv/geo", "profile.geo.imports", "a.b"));

    assertThat(geo.profile().image()).isEqualTo("stepwell/geo:latest");
    assertThat(geo.profile().rootFolder()).isEqualTo(Path.of("/srv/geo"));
    assertThat(geo.profile().imports()).containsExactly("a.b");
    assertThat(geo.minIdle()).isZero();
  }

  @Test
  void image_isNamedOnce_forEveryBackend() {
    Profile geo =
        pooled("maps", Map.of("profile.maps.image", "geo", "image.folder", "/images")).profile();

    assertThat(geo.image()).isEqualTo("stepwell/geo:latest");
    assertThat(geo.rootFolder()).isEqualTo(Path.of("/images/rootfs/geo"));
  }

  @Test
  void imageThatIsAReference_isTheEngines_andNeverTheMachinesOwnUsr() {
    Profile geo =
        pooled("geo", Map.of("profile.geo.image", "example.org/geo:3", "image.folder", "/images"))
            .profile();

    assertThat(geo.image()).isEqualTo("example.org/geo:3");
    assertThat(geo.rootFolder()).isEqualTo(Path.of("/images/rootfs/example.org%2Fgeo%3A3"));
  }

  @Test
  void rootFolder_goesBeforeTheImage() {
    Profile geo =
        pooled("geo", Map.of("profile.geo.image", "geo", "profile.geo.root.folder", "/srv/geo"))
            .profile();

    assertThat(geo.rootFolder()).isEqualTo(Path.of("/srv/geo"));
  }

  @Test
  void imageOfABuiltInProfile_canBeTakenBack_forTheMachinesOwnUsr() {
    assertThat(pooled("data", Map.of("image.folder", "/images")).profile().rootFolder())
        .isEqualTo(Path.of("/images/rootfs/data"));
    Profile data = pooled("data", Map.of("profile.data.image", "")).profile();
    assertThat(data.rootFolder()).isNull();
    assertThat(data.image()).isEqualTo("stepwell/data:latest");
  }

  @Test
  void imageThatNothingCanMake_isRefused() {
    assertThatThrownBy(() -> read(Map.of("profile.geo.image", "Geo")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("profile.geo.image is \"Geo\"")
        .hasMessageContaining("a reference with / or :");
  }

  @Test
  void squashfs_isTheImages_unlessAnotherIsNamed() {
    Map<String, String> folder = Map.of("image.folder", "/images");
    assertThat(squashfs(folder)).isEqualTo(Path.of("/images/squashfs/geo.sqsh"));
    assertThat(squashfs(Map.of("profile.geo.image", "maps", "image.folder", "/images")))
        .isEqualTo(Path.of("/images/squashfs/maps.sqsh"));
    assertThat(squashfs(Map.of("profile.geo.image", "maps", "profile.geo.squashfs", "/srv/g.sqsh")))
        .isEqualTo(Path.of("/srv/g.sqsh"));
    assertThatThrownBy(() -> squashfs(Map.of("profile.geo.squashfs", "g.sqsh")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("profile.geo.squashfs")
        .hasMessageContaining("absolute");
  }

  private static Path squashfs(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("profile.geo.memory", "1GiB");
    return Objects.requireNonNull(pooled("geo", all).profile().squashfs());
  }

  @Test
  void imageFolder_mustBeAbsolute() {
    assertThatThrownBy(() -> read(Map.of("image.folder", "images")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("image.folder is \"images\", must be an absolute path");
  }

  @Test
  void imageFolder_isWhereTheScriptsLeaveImages() {
    Path home = Path.of("/home/a");
    assertThat(Machine.imageFolder(Map.of(), true, home)).isEqualTo(Path.of("/var/lib/stepwell"));
    assertThat(Machine.imageFolder(Map.of(), false, home))
        .isEqualTo(Path.of("/home/a/.local/share/stepwell"));
    assertThat(Machine.imageFolder(Map.of("XDG_DATA_HOME", "/data"), false, home))
        .isEqualTo(Path.of("/data/stepwell"));
    assertThat(Machine.imageFolder(Map.of("STEPWELL_DATA", "/srv/a"), true, home))
        .isEqualTo(Path.of("/srv/a"));
  }

  @Test
  void defaultsFollowLoweredMaxima() {
    StepLimits.Bounds defaults =
        pooled(
                "tiny",
                Map.of(
                    "profile.tiny.memory", "64MiB",
                    "profile.tiny.wall.time.max", "5s",
                    "profile.tiny.output.max", "1KiB",
                    "profile.tiny.state.max", "0"))
            .profile()
            .stepLimits()
            .defaults();

    assertThat(defaults).isEqualTo(new StepLimits.Bounds(5_000, 48 * MIB, 1024, 0));
  }

  @Test
  void workspace_mayFillTheDiskUnlessToldOtherwise() {
    assertThat(
            pooled("tiny", Map.of("profile.tiny.disk", "1MiB")).profile().stateLimits().fileBytes())
        .isEqualTo(MIB);
    assertThat(
            pooled(
                    "tiny",
                    Map.of(
                        "profile.tiny.state.new", "1MiB",
                        "profile.tiny.state.components", "7",
                        "profile.tiny.state.manifest", "64KiB",
                        "profile.tiny.workspace.bytes", "2MiB",
                        "profile.tiny.workspace.files", "0"))
                .profile()
                .stateLimits())
        .isEqualTo(new StateLimits(MIB, 7, 64 << 10, 2 * MIB, 0));
  }

  @Test
  void noIdleSandboxes_canBeHadByOneSetting() {
    PoolProfile plain = pooled("plain", Map.of("profile.plain.pool.max", "0"));

    assertThat(plain.minIdle()).isZero();
    assertThat(plain.maxIdle()).isZero();
  }

  @Test
  void find_takesNullForTheDefault() {
    Profiles profiles = read(Map.of("default.profile", "data"));

    assertThat(profiles.find(null)).isSameAs(profiles.byName().get("data"));
    assertThat(profiles.find("plain")).isSameAs(profiles.byName().get("plain"));
    assertThat(profiles.find("none")).isNull();
    assertThat(pooled(profiles, "data").minIdle()).isEqualTo(1);
    assertThat(pooled(profiles, "plain").minIdle()).isZero();
  }

  @Test
  void defaultName_mustBeOneOfThem() {
    assertThatThrownBy(() -> new Profiles("x", Map.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static PoolProfile pooled(String name, Map<String, String> settings) {
    return pooled(read(settings), name);
  }

  private static PoolProfile pooled(Profiles profiles, String name) {
    return Objects.requireNonNull(profiles.pooled().get(name));
  }

  private static Profiles read(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(Map.of("bootstrap.servers", "kafka:9092"));
    all.putAll(settings);
    return WorkerConfig.of(all).profiles();
  }
}
