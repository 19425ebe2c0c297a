package dev.stepwell.worker.sandbox.enroot;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/** The enroot that tests use, and an image for it. */
public final class TestEnroot {
  private static final String PROGRAM = "STEPWELL_TEST_ENROOT";
  private static final String ROOT = "STEPWELL_TEST_ROOT";

  private TestEnroot() {}

  /** What {@code STEPWELL_TEST_ENROOT} names, else what is on the path, else a stand-in. */
  public static Path program() {
    Optional<Path> installed =
        Optional.ofNullable(System.getenv(PROGRAM)).map(Path::of).or(() -> onPath("enroot"));
    if (installed.isPresent()) {
      return installed.get();
    }
    System.out.println(
        "enroot tests: no enroot here; a stand-in that keeps its command-line contract is used");
    return standIn();
  }

  private static Path standIn() {
    try {
      Path resource =
          Path.of(Objects.requireNonNull(TestEnroot.class.getResource("stand-in/enroot")).toURI());
      // Other users may not be able to read where the build is.
      Path folder = Files.createDirectories(openFolder().resolve("stand-in"));
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      Path copy = Files.copy(resource, folder.resolve("enroot"));
      return Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException("the stand-in for enroot can't be made", e);
    }
  }

  /** A folder for container roots that every user can pass through; removed at the end. */
  public static Path openFolder() throws IOException {
    Path folder = Files.createTempDirectory("enroot-test");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
    return folder;
  }

  /** An image of the root file system that {@code STEPWELL_TEST_ROOT} names, in {@code folder}. */
  public static Path image(Path folder) throws IOException, InterruptedException {
    String root = System.getenv(ROOT);
    assumeThat(root).as(ROOT + " names no root file system").isNotNull();
    return image(folder.resolve("plain.sqsh"), Path.of(String.valueOf(root)));
  }

  /** An image of a folder. */
  public static Path image(Path file, Path root) throws IOException, InterruptedException {
    assumeThat(onPath("mksquashfs")).as("mksquashfs is not installed").isPresent();
    Process making =
        new ProcessBuilder(
                "mksquashfs",
                root.toString(),
                file.toString(),
                "-all-root",
                "-noappend",
                "-no-progress",
                "-comp",
                "gzip",
                "-Xcompression-level",
                "1")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (making.waitFor() != 0) {
      throw new IOException("mksquashfs failed");
    }
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
  }

  /** A program of that name, where there is one. */
  static Optional<Path> onPath(String name) {
    return Arrays.stream(
            Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator, -1))
        .map(folder -> Path.of(folder, name))
        .filter(candidate -> candidate.isAbsolute() && Files.isExecutable(candidate))
        .findFirst();
  }

  private static void delete(Path folder) {
    String script = "chmod -R u+rwX \"$0\"; rm -rf \"$0\"";
    try {
      new ProcessBuilder("/bin/sh", "-c", script, folder.toString()).start().waitFor();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(folder + " is left behind", e);
    }
  }
}
