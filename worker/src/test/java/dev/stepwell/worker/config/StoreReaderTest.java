package dev.stepwell.worker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreReaderTest {
  @Test
  void absolutePath_isASharedFolder() {
    assertThat(read(Map.of("object.store", "/mnt/state")))
        .isEqualTo(new StoreConfig.Folder(Path.of("/mnt/state")));
  }

  @Test
  void bucketAlone_isAmazons() {
    assertThat(read(Map.of("object.store", "s3://my-bucket")))
        .isEqualTo(new StoreConfig.S3("my-bucket", "", null, null, false, null));
  }

  @Test
  void slashesAroundThePrefix_don_tCount() {
    for (String prefix : new String[] {"/a/b", "/a/b/", "//a/b"}) {
      assertThat(read(Map.of("object.store", "s3://my-bucket" + prefix)))
          .isEqualTo(new StoreConfig.S3("my-bucket", "a/b", null, null, false, null));
    }
  }

  @Test
  void ownServer_hasTheBucketInThePathUnlessToldOtherwise() {
    Map<String, String> settings =
        Map.of(
            "object.store", "s3://my-bucket/p",
            "object.store.endpoint", "http://minio:9000",
            "object.store.region", "eu-central-1",
            "object.store.credentials.file", "/etc/stepwell/credentials");
    StoreConfig.S3 expected =
        new StoreConfig.S3(
            "my-bucket",
            "p",
            URI.create("http://minio:9000"),
            "eu-central-1",
            true,
            Path.of("/etc/stepwell/credentials"));

    assertThat(read(settings)).isEqualTo(expected);
    Map<String, String> inHost = new HashMap<>(settings);
    inHost.put("object.store.path.style", "false");
    assertThat(read(inHost)).extracting("pathStyle").isEqualTo(false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"state", "./state", "s3://", "s3://B", "s3://ab", "s3://bucket/a b", "s4://x"})
  void otherForms_areRefused(String store) {
    assertThatThrownBy(() -> read(Map.of("object.store", store)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("object.store is")
        .hasMessageContaining("s3://BUCKET/PREFIX");
  }

  @ParameterizedTest
  @CsvSource({
    "object.store.endpoint, minio:9000",
    "object.store.endpoint, http://user:secret@minio:9000",
    "object.store.endpoint, http://",
    "object.store.region, EU Central",
    "object.store.path.style, yes",
    "object.store.credentials.file, credentials",
  })
  void badDetails_areRefusedByName(String setting, String value) {
    assertThatThrownBy(() -> read(Map.of("object.store", "s3://my-bucket", setting, value)))
        .isInstanceOfSatisfying(
            ConfigException.class, e -> assertThat(e.setting()).isEqualTo(setting));
  }

  private static @Nullable StoreConfig read(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(Map.of("bootstrap.servers", "kafka:9092"));
    all.putAll(settings);
    return WorkerConfig.of(all).state().objectStore().place();
  }
}
