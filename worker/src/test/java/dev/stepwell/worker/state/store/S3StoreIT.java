package dev.stepwell.worker.state.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class S3StoreIT extends ObjectStoreContract {
  @TempDir static Path folder;

  private static S3Server server;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(S3Server.available(), "no S3 server: Maven copies it before integration tests");
    server = S3Server.start(folder);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  ObjectStore store() throws StoreException {
    return S3Store.open(server.settings("prefix/" + UUID.randomUUID(), Duration.ofSeconds(20)));
  }

  @Test
  void objects_lieUnderThePrefix() throws Exception {
    try (ObjectStore store = S3Store.open(server.settings("a/b", Duration.ofSeconds(20)))) {
      store.put("abcd", new byte[1]);
    }
    assertThat(folder.resolve("buckets").resolve(S3Server.BUCKET).resolve("a/b/abcd")).exists();
  }

  @Test
  void wrongCredentials_areDeniedAndNotTold() throws Exception {
    try (ObjectStore store = S3Store.open(server.settingsOfAStranger())) {
      StoreException put =
          catchThrowableOfType(StoreException.class, () -> store.put("abcd", new byte[1]));
      assertThat(put.kind()).isEqualTo(StoreException.Kind.DENIED);
      assertThat(put.permanent()).isTrue();
      assertThatThrownBy(() -> store.get("abcd", 10))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.DENIED));
      StringWriter everything = new StringWriter();
      put.printStackTrace(new PrintWriter(everything));
      assertThat(everything.toString())
          .doesNotContain(S3Server.secret())
          .doesNotContain("aws_secret_access_key");
    }
    assertThat(server.settingsOfAStranger().toString()).doesNotContain("secret");
  }

  @Test
  void bucketThatIsNotThere_isNoProofThatTheObjectIsGone() throws Exception {
    S3Store.Settings there = server.settings("", Duration.ofSeconds(20));
    S3Store.Settings elsewhere =
        new S3Store.Settings(
            "no-such-bucket",
            "",
            there.endpoint(),
            null,
            true,
            there.credentialsFile(),
            there.time());
    try (ObjectStore store = S3Store.open(elsewhere)) {
      assertThatThrownBy(() -> store.get("abcd", 10))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE));
    }
  }

  @Test
  void frozenOrKilledServer_failsInTimeAndServesAgain() throws Exception {
    try (ObjectStore store = S3Store.open(server.settings("k", Duration.ofSeconds(3)))) {
      store.put("abcd", new byte[] {7});

      server.freeze();
      try {
        assertUnavailableWithin(store, Duration.ofSeconds(6));
      } finally {
        server.thaw();
      }
      server.kill();
      try {
        assertUnavailableWithin(store, Duration.ofSeconds(6));
      } finally {
        server.restart();
      }
      assertThat(store.get("abcd", 10)).containsExactly(7);
    }
  }

  private static void assertUnavailableWithin(ObjectStore store, Duration time) {
    long before = System.nanoTime();
    assertThatThrownBy(() -> store.get("abcd", 10))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE));
    assertThatThrownBy(() -> store.put("efgh", new byte[1]))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.permanent()).isFalse());
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(time.multipliedBy(2));
  }

  @Test
  void interruptedCaller_isInterrupted() throws Exception {
    try (ObjectStore store = S3Store.open(server.settings("i", Duration.ofSeconds(20)))) {
      store.put("abcd", new byte[1]);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> store.get("abcd", 10)).isInstanceOf(InterruptedException.class);
      Thread.interrupted();
      TimeUnit.MILLISECONDS.sleep(1);
      assertThat(store.get("abcd", 10)).hasSize(1);
    }
  }
}
