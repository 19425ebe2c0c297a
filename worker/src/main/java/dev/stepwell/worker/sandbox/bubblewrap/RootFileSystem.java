package dev.stepwell.worker.sandbox.bubblewrap;

import dev.stepwell.worker.sandbox.Sandbox;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What of which folder a sandbox sees below {@code /}, all of it read-only, as bwrap options. */
final class RootFileSystem {
  /** Where a sandbox has something of its own, whatever the folder holds. */
  private static final Set<String> REPLACED =
      Set.of("dev", "proc", "sys", "tmp", "run", "workspace");

  /** What the host's programs need beside {@code /usr}; none holds a secret. */
  private static final List<String> HOST_ETC =
      List.of(
          "alternatives",
          "fonts",
          "ld.so.cache",
          "localtime",
          "matplotlibrc",
          "mime.types",
          "ssl/openssl.cnf");

  /** Where distributions keep the parts of {@code /usr} that used to be beside it. */
  private static final List<String> HOST_USR_PARTS =
      List.of("bin", "sbin", "lib", "lib32", "lib64", "libx32");

  private RootFileSystem() {}

  /**
   * The options for a root of its own.
   *
   * @param mounts whether the sandbox gets a {@code /data} of its own, in place of the folder's
   * @throws IOException if the folder can't be read
   */
  static List<String> ofFolder(Path folder, boolean mounts) throws IOException {
    List<String> options = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        String name = String.valueOf(entry.getFileName());
        if (!REPLACED.contains(name) && !(mounts && Sandbox.DATA.equals("/" + name))) {
          bindOrLink(options, entry, "/" + name);
        }
      }
    }
    return options;
  }

  /**
   * The options for the host's own programs and libraries. Users, groups and host names are not the
   * host's: the launcher brings them in.
   *
   * @throws IOException if a link of the host's can't be read
   */
  static List<String> ofHost() throws IOException {
    List<String> options = new ArrayList<>(List.of("--ro-bind", "/usr", "/usr"));
    for (String part : HOST_USR_PARTS) {
      Path path = Path.of("/", part);
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        bindOrLink(options, path, path.toString());
      }
    }
    for (String file : HOST_ETC) {
      String path = "/etc/" + file;
      options.addAll(List.of("--ro-bind-try", path, path));
    }
    options.addAll(Launcher.OWN_ETC);
    return options;
  }

  private static void bindOrLink(List<String> options, Path entry, String destination)
      throws IOException {
    if (Files.isSymbolicLink(entry)) {
      options.addAll(List.of("--symlink", Files.readSymbolicLink(entry).toString(), destination));
    } else {
      options.addAll(List.of("--ro-bind", entry.toString(), destination));
    }
  }

  /** Whether {@code program}, an absolute path inside, is there. A link counts as being there. */
  static boolean holds(@Nullable Path folder, String program) {
    Path inside = Path.of("/").relativize(Path.of(program));
    Path root = folder == null ? Path.of("/") : folder;
    return Files.exists(root.resolve(inside.toString()), LinkOption.NOFOLLOW_LINKS);
  }
}
