package dev.stepwell.worker.sandbox.enroot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.stepwell.worker.sandbox.Availability;
import dev.stepwell.worker.sandbox.SandboxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Machines and settings with which enroot can't be used, and what is said of them. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EnrootSettingsIT {
  private Path program = Path.of("/nowhere");
  private Path folder = Path.of("/nowhere");

  @BeforeAll
  void requireMachinery() throws Exception {
    program = TestEnroot.program();
    Availability found =
        EnrootBackend.probe(new EnrootSettings(program, "nobody", TestEnroot.openFolder(), true));
    assumeThat(found.usable()).as(found.reason()).isTrue();
  }

  @BeforeEach
  void makeFolder() throws Exception {
    folder = TestEnroot.openFolder();
  }

  @Test
  void open_withoutEnroot_saysWhatToInstall() {
    refusedSettings(
        new EnrootSettings(Path.of("/nowhere/enroot"), "nobody", folder, true),
        "/nowhere/enroot",
        "enroot.path");
  }

  @Test
  void open_whereEnrootFails_saysSo() {
    refusedSettings(
        new EnrootSettings(Path.of("/usr/bin/false"), "nobody", folder, true), "doesn't run");
  }

  @Test
  void open_withAnOldEnroot_saysWhatItLacks() throws Exception {
    Path old = folder.resolve("old");
    Files.writeString(old, "#!/bin/sh\necho 3.4.1\n");
    Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rwxr-xr-x"));
    refusedSettings(new EnrootSettings(old, "nobody", folder, true), "3.4.1", "can't isolate");
  }

  @Test
  void open_asRoot_needsAnOrdinaryUser() throws Exception {
    assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(0);
    refusedSettings(new EnrootSettings(program, "root", folder, true), "enroot.user");
    refusedSettings(new EnrootSettings(program, "0", folder, true), "every capability");
    refusedSettings(new EnrootSettings(program, "nobody-here", folder, true), "nobody-here");
  }

  @Test
  void open_whereTheUserCantCome_saysWhere() throws Exception {
    assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(0);
    Path closed = Files.createDirectory(folder.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    refusedSettings(
        new EnrootSettings(program, "nobody", closed, true), closed.toString(), "scratch.folder");
  }

  @Test
  void open_whereOthersMadeTheFolder_refuses() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    int uid = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    Path planted = Files.createDirectory(other.resolve("enroot-" + uid));
    Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString("rwxrwxrwx"));
    refusedSettings(
        new EnrootSettings(program, "nobody", other, true), planted.toString(), "alone may write");
  }

  private static void refusedSettings(EnrootSettings settings, String... words) {
    assertThatThrownBy(() -> EnrootBackend.open(settings))
        .isInstanceOfSatisfying(SandboxException.class, e -> assertThat(e.permanent()).isTrue())
        .hasMessageContainingAll(words);
    assertThat(EnrootBackend.probe(settings).usable()).isFalse();
  }
}
