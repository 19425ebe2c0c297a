package dev.stepwell.worker.state.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderStoreTest extends ObjectStoreContract {
  @TempDir Path root;

  @Override
  ObjectStore store() throws StoreException {
    return FolderStore.open(root);
  }

  @Test
  void folderThatIsNotThere_isNotMade() {
    Path missing = root.resolve("missing");

    assertThatThrownBy(() -> FolderStore.open(missing))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.permanent()).isFalse())
        .hasMessageContaining(missing.toString());
    assertThat(missing).doesNotExist();
  }

  @Test
  void shareThatIsNotMountedAnyMore_isNoProofThatObjectsAreGone() throws Exception {
    try (ObjectStore store = store()) {
      Files.delete(root.resolve("unfinished"));

      assertThatThrownBy(() -> store.get("abcd", 10))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE));
      assertThatThrownBy(() -> store.put("abcd", new byte[1])).isInstanceOf(StoreException.class);
    }
  }

  @Test
  void whatDeadWritersLeft_goesAfterADay() throws Exception {
    store().close();
    Path old = Files.createFile(root.resolve("unfinished").resolve("old"));
    Path fresh = Files.createFile(root.resolve("unfinished").resolve("fresh"));
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(25))));

    store().close();

    assertThat(old).doesNotExist();
    assertThat(fresh).exists();
  }

  @Test
  void puttingAgain_makesItYoungAgain() throws Exception {
    try (ObjectStore store = store()) {
      store.put("abcd", new byte[1]);
      Path file = root.resolve("ab").resolve("abcd");
      Instant old = Instant.now().minus(Duration.ofHours(25));
      Files.setLastModifiedTime(file, FileTime.from(old));

      store.put("abcd", new byte[1]);

      assertThat(Files.getLastModifiedTime(file).toInstant()).isAfter(old.plusSeconds(3600));
      assertThat(root.resolve("unfinished").toFile().list()).isEmpty();
    }
  }
}
