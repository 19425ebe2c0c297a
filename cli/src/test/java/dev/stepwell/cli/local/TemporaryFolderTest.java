package dev.stepwell.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TemporaryFolderTest {
  /** What another process does that has the folder in use. */
  private static final String LOCK =
      """
      import fcntl, sys
      f = open(sys.argv[1], 'r+')
      fcntl.lockf(f, fcntl.LOCK_EX)
      print('locked', flush=True)
      sys.stdin.read()
      """;

  @TempDir private Path parent;

  @Test
  void close_removesAllThatIsInIt() throws IOException {
    Path path;
    try (TemporaryFolder folder = TemporaryFolder.createPassable(parent, "kind-")) {
      path = folder.path();
      Files.writeString(Files.createDirectory(path.resolve("inside")).resolve("file"), "x");
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void whatAKilledProcessLeft_goesWithTheNext() throws IOException {
    Path left = left("kind-left");
    Path young = left("kind-young");
    Files.setLastModifiedTime(young.resolve(".in-use"), FileTime.from(Instant.now()));
    Path foreign = Files.createDirectory(parent.resolve("kind-foreign"));
    Path other = left("other-kind");
    try (TemporaryFolder first = TemporaryFolder.createPassable(parent, "kind-");
        TemporaryFolder second = TemporaryFolder.createPassable(parent, "kind-")) {
      assertThat(left).doesNotExist();
      assertThat(young).exists();
      assertThat(foreign).exists();
      assertThat(other).exists();
      assertThat(first.path()).exists();
      assertThat(second.path()).exists();
    }
  }

  @Test
  void whatAnotherProcessUses_stays() throws Exception {
    Path used = left("kind-used");
    Process user =
        new ProcessBuilder("python3", "-c", LOCK, used.resolve(".in-use").toString()).start();
    try {
      assertThat(user.inputReader().readLine()).isEqualTo("locked");
      TemporaryFolder.createPassable(parent, "kind-").close();
      assertThat(used).exists();
    } finally {
      user.destroyForcibly().waitFor();
    }
    TemporaryFolder.createPassable(parent, "kind-").close();
    assertThat(used).doesNotExist();
  }

  @Test
  void whatBelongsToAnotherUser_stays() throws Exception {
    Path theirs = left("kind-theirs");
    Process chown = new ProcessBuilder("chown", "nobody", theirs.toString()).start();
    Assumptions.assumeTrue(chown.waitFor() == 0, "skipped: not root");
    TemporaryFolder.createPassable(parent, "kind-").close();
    assertThat(theirs).exists();
  }

  private Path left(String name) throws IOException {
    Path folder = Files.createDirectory(parent.resolve(name));
    Path file = Files.createFile(folder.resolve(".in-use"));
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
    Files.writeString(folder.resolve("piece"), "x");
    return folder;
  }
}
