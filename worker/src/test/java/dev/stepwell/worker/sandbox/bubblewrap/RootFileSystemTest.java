package dev.stepwell.worker.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RootFileSystemTest {
  @Test
  void folder_isSeenButForWhatTheSandboxHasOfItsOwn(@TempDir Path root) throws Exception {
    for (String name : new String[] {"usr", "data", "tmp", "run"}) {
      Files.createDirectory(root.resolve(name));
    }
    Files.createSymbolicLink(root.resolve("bin"), Path.of("usr/bin"));

    assertThat(RootFileSystem.ofFolder(root, false))
        .containsSequence("--symlink", "usr/bin", "/bin")
        .containsSequence("--ro-bind", root + "/usr", "/usr")
        .containsSequence("--ro-bind", root + "/data", "/data")
        .doesNotContain("/tmp", "/run");
    assertThat(RootFileSystem.ofFolder(root, true))
        .containsSequence("--ro-bind", root + "/usr", "/usr")
        .doesNotContain("/data");
  }
}
