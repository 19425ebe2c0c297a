package dev.stepwell.worker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MountsReaderTest {
  @TempDir Path folder = Path.of("");

  @Test
  void profile_mountsWhatItLists() throws Exception {
    Path genes = Files.createDirectory(folder.resolve("genes"));
    Profiles profiles =
        read(
            Map.of(
                "mount.genes",
                genes.toString(),
                "mount.maps-2",
                folder + "/genes/..",
                "profile.geo.mounts",
                "maps-2, genes"));

    assertThat(Objects.requireNonNull(profiles.find("geo")).mounts())
        .containsExactly(Map.entry("genes", genes), Map.entry("maps-2", folder));
    assertThat(profiles.byDefault().mounts()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "relative", "./x"})
  void pathThatIsNotAbsolute_isRefusedByName(String path) {
    refused("mount.genes", Map.of("mount.genes", path), "the absolute path of a folder");
  }

  @Test
  void folderThatIsNotThere_isRefusedByName() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    for (String path : new String[] {folder + "/none", file.toString()}) {
      refused("mount.genes", Map.of("mount.genes", path), path);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Genes", "a.b", "a_b", "a/b", "ä"})
  void aliasOfOtherCharacters_isRefused(String alias) {
    String name = "mount." + alias;
    refused(name, Map.of(name, folder.toString()), "1 to 63 of the characters a-z 0-9 -");
  }

  @Test
  void aliasThatIsTooLong_isRefused() {
    String longest = "mount." + "a".repeat(63);
    assertThat(read(Map.of(longest, folder.toString()))).isNotNull();
    refused(longest + "a", Map.of(longest + "a", folder.toString()), "1 to 63");
  }

  @Test
  void aliasThatThereIsNot_isRefusedWithTheNearest() {
    String setting = "profile.geo.mounts";
    refused(
        setting,
        Map.of("mount.genes", folder.toString(), "mount.maps", folder.toString(), setting, "gens"),
        "there is no mount.gens; did you mean genes?");
    refused(setting, Map.of(setting, "genes"), "no mount.ALIAS is set");
  }

  private static void refused(String setting, Map<String, String> settings, String message) {
    assertThatThrownBy(() -> read(settings))
        .isInstanceOfSatisfying(
            ConfigException.class, e -> assertThat(e.setting()).isEqualTo(setting))
        .hasMessageContaining(message);
  }

  private static Profiles read(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(Map.of("bootstrap.servers", "kafka:9092"));
    all.putAll(settings);
    return WorkerConfig.of(all).profiles();
  }
}
