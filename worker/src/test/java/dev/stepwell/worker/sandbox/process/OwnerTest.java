package dev.stepwell.worker.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.worker.sandbox.Owner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OwnerTest {
  @TempDir private Path folder;

  @Test
  void name_tellsTheOwner() throws Exception {
    Owner self = Owner.self();
    assertThat(Owner.ofName(self.nameOf("sw-abc"))).contains(self);
    assertThat(Owner.ofName("stepwell-1-2")).isEmpty();
    assertThat(Owner.ofName("systemd-1-2-3-4")).isEmpty();
  }

  @Test
  void thisProcess_isNotGone() throws Exception {
    assertThat(Owner.self().isGone()).isFalse();
  }

  @Test
  void endedProcess_isGone_andSoIsOneWhosePidWasGivenAgain() throws Exception {
    Owner self = Owner.self();
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    assertThat(new Owner(process.pid(), 1, self.pidNamespace()).isGone()).isTrue();
    assertThat(new Owner(self.pid(), self.startTicks() - 1, self.pidNamespace()).isGone()).isTrue();
  }

  @Test
  void processOfAnotherNamespace_isNotKnownToBeGone() throws Exception {
    assertThat(new Owner(1, 1, "1").isGone()).isFalse();
  }

  @Test
  void reaper_removesOnlyWhatTheGoneHaveLeft() throws Exception {
    Owner self = Owner.self();
    Owner gone = new Owner(self.pid(), self.startTicks() - 1, self.pidNamespace());
    StateFolder left = create(gone.nameOf("a"));
    StateFolder living = create(self.nameOf("b"));
    Path victim = Files.createDirectory(folder.resolve("victim"));
    Files.writeString(victim.resolve("passwd"), "mine");
    Files.createSymbolicLink(folder.resolve(gone.nameOf("c")), victim);
    Path strange = Files.createDirectory(folder.resolve(gone.nameOf("d")));
    Files.writeString(strange.resolve("precious"), "mine");

    assertThat(new Reaper(NoCgroups.INSTANCE, folder).reap()).isEqualTo(1);

    assertThat(left.path()).doesNotExist();
    assertThat(living.path()).isDirectory();
    assertThat(victim.resolve("passwd")).hasContent("mine");
    assertThat(strange.resolve("precious")).hasContent("mine");
  }

  private StateFolder create(String name) throws IOException {
    return StateFolder.create(
        folder,
        name,
        StateFolder.Readers.SELF,
        Map.of(StateFolder.FILTER, new byte[8], "mounts.d/" + StateFolder.FSTAB, new byte[1]));
  }
}
