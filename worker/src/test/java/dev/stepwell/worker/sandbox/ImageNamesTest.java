package dev.stepwell.worker.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageNamesTest {
  private static final Path FOLDER = Path.of("/images");

  @Test
  void name_hasAFormForEachBackend() {
    assertThat(ImageNames.reference("geo")).isEqualTo("stepwell/geo:latest");
    assertThat(ImageNames.rootFolder(FOLDER, "geo")).isEqualTo(Path.of("/images/rootfs/geo"));
    assertThat(ImageNames.squashfs(FOLDER, "geo")).isEqualTo(Path.of("/images/squashfs/geo.sqsh"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"python:3.12", "example.org/geo", "sha256:0123", "a/../../b"})
  void reference_isTheEnginesAlone_andLeadsToNoFolderOfOurs(String reference) {
    assertThat(ImageNames.isReference(reference)).isTrue();
    assertThat(ImageNames.reference(reference)).isEqualTo(reference);
    assertThat(ImageNames.rootFolder(FOLDER, reference)).hasParentRaw(Path.of("/images/rootfs"));
    assertThat(ImageNames.isName(ImageNames.rootFolder(FOLDER, reference).getFileName().toString()))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"geo", "a", "3d", "py3.12", "a_b", "a__b", "a---b", "geo-2.x_1"})
  void name_isWhatAnEngineTakes(String name) {
    assertThat(ImageNames.isName(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "Geo", ".", "..", "-a", "a-", "a..b", "a b", "ä", "a/b", "a:b", "a\n"})
  void name_isNothingElse(String text) {
    assertThat(ImageNames.isName(text)).isFalse();
  }

  @Test
  void name_isBoundedInLength() {
    assertThat(ImageNames.isName("a".repeat(ImageNames.MAX_LENGTH))).isTrue();
    assertThat(ImageNames.isName("a".repeat(ImageNames.MAX_LENGTH + 1))).isFalse();
  }

  @Test
  void wayOut_forAName_makesThatName() {
    assertThat(wayOut("maps", "geo", "bubblewrap", ImageNames.rootFolder(FOLDER, "geo")))
        .isEqualTo(
            "make it by bin/stepwell images build geo --backend bubblewrap, or bring one in by"
                + " bin/stepwell images import IMAGE --as geo --backend bubblewrap");
    assertThat(wayOut("maps", "geo", "enroot", ImageNames.squashfs(FOLDER, "geo")))
        .contains("images build geo --backend enroot");
    assertThat(wayOut("maps", "geo", "docker", null)).contains("images build geo --backend docker");
  }

  @Test
  void wayOut_forAReference_isForTheBackendThatLacksIt() {
    assertThat(
            wayOut(
                "maps", "python:3.12", "bubblewrap", ImageNames.rootFolder(FOLDER, "python:3.12")))
        .isEqualTo(
            "python:3.12 is for an engine; bring it in by bin/stepwell images import python:3.12 --as"
                + " maps --backend bubblewrap and set profile.maps.image=maps");
    assertThat(wayOut("maps", "python:latest", "docker", null))
        .startsWith("fetch it by docker pull python:latest");
  }

  @Test
  void wayOut_forAFolderOfTheUsers_namesTheProfile() {
    assertThat(wayOut("maps", "maps", "bubblewrap", Path.of("/srv/maps")))
        .isEqualTo(
            "make one by bin/stepwell images build maps --backend bubblewrap and set"
                + " profile.maps.image=maps");
    assertThat(wayOut("Maps", "maps", "bubblewrap", Path.of("/srv/maps")))
        .contains("images build NAME", "set profile.Maps.image=NAME");
  }

  private static String wayOut(
      String profile, String image, String backend, @Nullable Path folder) {
    SandboxLimits limits = new SandboxLimits(64 << 20, 16, 1000, 1 << 20);
    StepLimits.Bounds bounds = new StepLimits.Bounds(1000, 64 << 20, 1024, 1024);
    Profile named =
        new Profile(
            profile,
            ImageNames.reference(image),
            folder,
            "python3",
            List.of(),
            Map.of(),
            limits,
            new StepLimits(bounds, bounds));
    return ImageNames.wayOut(named, backend, folder == null ? named.image() : folder.toString());
  }
}
