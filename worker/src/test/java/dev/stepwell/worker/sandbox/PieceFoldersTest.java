package dev.stepwell.worker.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PieceFoldersTest {
  @TempDir private Path scratch;

  @Test
  void folder_isPassableAndNotToBeListed_andHoldsTheMark() throws Exception {
    try (PieceFolders folders = new PieceFolders(scratch)) {
      Path folder = Objects.requireNonNull(folders.create());
      for (Path path : List.of(folder, Objects.requireNonNull(folder.getParent()))) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
            .isEqualTo("rwx--x--x");
      }
      assertThat(listed(folder)).containsExactly(folder.resolve(Sandbox.PIECES_MARK));
      assertThat(folders.create()).isNotEqualTo(folder).hasParent(folder.getParent());
    }
  }

  @Test
  void folder_takesLinksOfTheSameFileSystem_andGoesWithoutThem() throws Exception {
    Path kept = Files.writeString(scratch.resolve("kept"), "content");
    try (PieceFolders folders = new PieceFolders(scratch)) {
      Path folder = Objects.requireNonNull(folders.create());
      Files.createLink(folder.resolve("extent"), kept);
      PieceFolders.remove(folder);
      PieceFolders.remove(folder);
      assertThat(folder).doesNotExist();
      assertThat(kept).hasContent("content");
    }
  }

  @Test
  void close_removesAllOfTheWorkers() throws Exception {
    PieceFolders folders = new PieceFolders(scratch);
    Files.writeString(Objects.requireNonNull(folders.create()).resolve("extent"), "x");
    folders.close();
    folders.close();
    assertThat(listed(scratch)).isEmpty();
    assertThat(folders.create()).isNull();
  }

  @Test
  void scratchThatCantBeWritten_isNoFailure() throws Exception {
    Path file = Files.createFile(scratch.resolve("file"));
    try (PieceFolders folders = new PieceFolders(file.resolve("below"))) {
      assertThat(folders.create()).isNull();
    }
  }

  @Test
  void foldersThatOthersCantPass_areTold() throws Exception {
    // What is above a test's own folder is not the test's: some machines close it.
    assumeThat(new PieceFolders(Objects.requireNonNull(scratch.getParent())).passableToOthers())
        .isTrue();
    Files.setPosixFilePermissions(scratch, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path below = scratch.resolve("below");
    assertThat(new PieceFolders(below).passableToOthers()).isTrue();
    Files.createDirectory(
        below, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    assertThat(new PieceFolders(below).passableToOthers()).isFalse();
    assertThat(new PieceFolders(below.resolve("deeper")).passableToOthers()).isFalse();
  }

  @Test
  void reap_removesWhatTheGoneHaveLeft_andNothingElse() throws Exception {
    Owner self = Owner.self();
    Owner gone = new Owner(self.pid(), self.startTicks() - 1, self.pidNamespace());
    Path left = worker(gone, "a");
    Files.createDirectory(left.resolve("sw-x"));
    Files.writeString(left.resolve("sw-x/extent"), "x");
    Path living = worker(self, "b");
    Path victim = Files.createDirectories(scratch.resolve("victim/sw-y"));
    Files.writeString(victim.resolve("file"), "mine");
    Files.createSymbolicLink(
        scratch.resolve("sandboxes-" + gone.nameOf("c")), scratch.resolve("victim"));
    Path strange = Files.createDirectories(worker(gone, "d").resolve("sw-z/deep/deeper"));
    Path tricked = worker(gone, "e");
    Files.createSymbolicLink(tricked.resolve("sw-y"), victim);

    assertThat(PieceFolders.reap(scratch)).isEqualTo(1);

    assertThat(left).doesNotExist();
    assertThat(living).isDirectory();
    assertThat(victim.resolve("file")).hasContent("mine");
    assertThat(strange).isDirectory();
  }

  @Test
  void reap_whereThereIsNothing_isFine() throws Exception {
    assertThat(PieceFolders.reap(scratch.resolve("nowhere"))).isZero();
  }

  private Path worker(Owner owner, String suffix) throws IOException {
    return Files.createDirectory(scratch.resolve("sandboxes-" + owner.nameOf(suffix)));
  }

  private static List<Path> listed(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    }
  }
}
