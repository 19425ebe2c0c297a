package dev.stepwell.worker.state.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What needs no server. */
@Timeout(60)
class S3StoreTest {
  @TempDir Path folder;

  @Test
  void missingFileOfCredentials_isNamed() {
    Path missing = folder.resolve("credentials");

    assertThatThrownBy(() -> S3Store.open(settings(missing)).close())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(missing.toString());
  }

  @Test
  void badFileOfCredentials_isNamedButNotTold() throws Exception {
    Path bad = Files.writeString(folder.resolve("credentials"), "[default\ntop-secret-thing\n");

    StoreException refused =
        catchThrowableOfType(StoreException.class, () -> S3Store.open(settings(bad)).close());
    StringWriter everything = new StringWriter();
    refused.printStackTrace(new PrintWriter(everything));

    assertThat(everything.toString()).contains(bad.toString()).doesNotContain("top-secret");
  }

  @Test
  void nobodyThere_isUnavailable() throws Exception {
    Path credentials =
        Files.writeString(
            folder.resolve("credentials"),
            "[default]\naws_access_key_id=a\naws_secret_access_key=b\n");

    try (ObjectStore store = S3Store.open(settings(credentials))) {
      assertThatThrownBy(() -> store.get("abcd", 10))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE))
          .hasMessageContaining("s3://bucket/prefix");
    }
  }

  private static S3Store.Settings settings(Path credentials) {
    // The discard port: nothing listens there.
    return new S3Store.Settings(
        "bucket",
        "prefix",
        URI.create("http://127.0.0.1:9"),
        null,
        true,
        credentials,
        Duration.ofSeconds(3));
  }
}
