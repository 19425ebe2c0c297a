package dev.stepwell.worker.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheFolderTest {
  private static final String NAME = "pieces-0123456789abcdef0123456789abcdef";

  /** Locks a file as a worker does, and says so. */
  private static final String LOCK =
      "import fcntl, sys; f = open(sys.argv[1], 'r+'); fcntl.lockf(f, fcntl.LOCK_EX);"
          + " print('locked', flush=True); sys.stdin.read()";

  @TempDir Path scratch;

  @Test
  void leftovers_goWithTheNextWorkerAndNotBefore() throws Exception {
    Path lock = leaveBehind(NAME);
    Process owner = new ProcessBuilder("python3", "-c", LOCK, lock.toString()).start();
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(owner.getInputStream(), UTF_8))) {
      assertThat(output.readLine()).isEqualTo("locked");
      CacheFolder.create(scratch).close();
      assertThat(scratch.resolve(NAME)).isDirectory();
    } finally {
      owner.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }

    CacheFolder.create(scratch).close();

    assertThat(scratch.toFile().list()).isEmpty();
  }

  @Test
  void foldersOfThisProcess_areLeftAloneAndStayLocked() throws Exception {
    try (CacheFolder first = CacheFolder.create(scratch);
        CacheFolder second = CacheFolder.create(scratch)) {
      assertThat(first.path()).isDirectory().isNotEqualTo(second.path());
      assertThat(lockedForOthers(first)).isTrue();
    }
    assertThat(scratch.toFile().list()).isEmpty();
  }

  private static boolean lockedForOthers(CacheFolder folder) throws Exception {
    String attempt =
        "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)";
    return new ProcessBuilder("python3", "-c", attempt, folder.path() + ".lock").start().waitFor()
        != 0;
  }

  @Test
  void linksAndForeignFiles_areNotFollowedNorRemoved() throws IOException {
    Path other = Files.createDirectory(scratch.resolve("other"));
    Files.writeString(other.resolve("1-a"), "kept");
    Files.createSymbolicLink(scratch.resolve(NAME), other);
    Files.createFile(scratch.resolve(NAME + ".lock"));
    Path mixed = leaveBehind(NAME.replace('0', '1'));
    Path foreign = scratch.resolve(NAME.replace('0', '1')).resolve("Not.An.Extent");
    Files.writeString(foreign, "kept");

    CacheFolder.create(scratch).close();

    assertThat(other.resolve("1-a")).exists();
    assertThat(foreign).exists();
    assertThat(mixed).exists();
  }

  @Test
  void extentNames_areNeverGivenTwice() throws IOException {
    try (CacheFolder folder = CacheFolder.create(scratch)) {
      String first = folder.newExtent().name();
      assertThat(first).matches("[a-z0-9-]{1,64}").isNotEqualTo(folder.newExtent().name());
    }
  }

  private Path leaveBehind(String name) throws IOException {
    Path folder = Files.createDirectory(scratch.resolve(name));
    Files.writeString(folder.resolve("1-abc"), "piece");
    return Files.createFile(scratch.resolve(name + ".lock"));
  }

  @Test
  void fullDisk_givesRoomThenFailsWithItsName() throws Exception {
    assumeTrue(mounted(), "needs the right to mount a small file system");
    FakeSource source = new FakeSource();
    try (PieceCache cache = PieceCache.open(scratch, 1L << 30, source)) {
      fillTwice(cache);
      try (NewPieces taken = cache.take()) {
        // What is pinned can't give way.
        assertThat(throwsFull(taken)).isTrue();
        Piece stored = source.put(new byte[] {1, 2, 3});
        assertThat(cache.read(stored)).containsExactly(1, 2, 3);
      }
      Piece stored = source.put(new byte[] {4});
      assertThat(cache.place(java.util.List.of(stored), scratch)).hasSize(1);
    } finally {
      new ProcessBuilder("umount", scratch.toString()).start().waitFor();
    }
  }

  private boolean mounted() throws IOException, InterruptedException {
    return new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", scratch.toString())
            .start()
            .waitFor()
        == 0;
  }

  private static void fillTwice(PieceCache cache) throws IOException {
    for (int i = 0; i < 16; i++) {
      try (NewPieces taken = cache.take()) {
        byte[] bytes = new byte[Piece.MAX_BYTES];
        bytes[0] = (byte) i;
        taken.add(bytes, 0, bytes.length);
      }
    }
  }

  private static boolean throwsFull(NewPieces taken) throws IOException {
    for (int i = 0; i < 16; i++) {
      byte[] bytes = new byte[Piece.MAX_BYTES];
      bytes[1] = (byte) (i + 1);
      try {
        taken.add(bytes, 0, bytes.length);
      } catch (CacheFullException e) {
        return true;
      }
    }
    return false;
  }
}
