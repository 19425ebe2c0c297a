package dev.stepwell.worker.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's private folder: the few files that launchers hand to bubblewrap; immutable once made.
 *
 * @param parent where such folders are; others may write there
 * @param name the folder in it, which only this user can enter
 */
record StateFolder(Path parent, Path name) {
  static final String FILTER = "filter.bpf";
  static final String USERS = "passwd";
  static final String GROUPS = "group";
  static final String HOSTS = "hosts";

  private static final Logger LOG = LoggerFactory.getLogger(StateFolder.class);
  private static final List<String> FILES = List.of(FILTER, USERS, GROUPS, HOSTS);

  /**
   * Makes the folder {@code name} in {@code parent}.
   *
   * @throws IOException if it can't be made, or is there already
   */
  static StateFolder create(Path parent, String name, byte[] filter) throws IOException {
    StateFolder folder = new StateFolder(parent.toAbsolutePath(), Path.of(name));
    Path path = folder.path();
    Files.createDirectories(folder.parent());
    Files.createDirectory(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    write(path, FILTER, filter);
    write(path, USERS, text("nobody:x:65534:65534:nobody:/workspace:/bin/sh\n"));
    write(path, GROUPS, text("nogroup:x:65534:\n"));
    write(path, HOSTS, text("127.0.0.1 localhost sandbox\n::1 localhost\n"));
    return folder;
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static void write(Path folder, String name, byte[] content) throws IOException {
    Files.write(folder.resolve(name), content);
  }

  Path path() {
    return parent.resolve(name);
  }

  /** Removes this folder; idempotent. What can't be removed is logged. */
  void delete() {
    delete(parent, name);
  }

  /**
   * Removes the folder {@code name} of {@code parent}, which other users may write to: no link is
   * followed, and no file removed that this class doesn't make.
   *
   * @return whether it is gone by this call
   */
  static boolean delete(Path parent, Path name) {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(parent, "stepwell-none")) {
      if (stream instanceof SecureDirectoryStream<Path> folders) {
        deleteFiles(folders, name);
        folders.deleteDirectory(name);
        return true;
      }
      LOG.warn("{} can't be removed safely on this file system", parent.resolve(name));
    } catch (NoSuchFileException e) {
      LOG.debug("{} is gone already", parent.resolve(name));
    } catch (IOException e) {
      LOG.warn("{} is left behind", parent.resolve(name), e);
    }
    return false;
  }

  private static void deleteFiles(SecureDirectoryStream<Path> folders, Path name)
      throws IOException {
    try (SecureDirectoryStream<Path> folder =
        folders.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      for (Path file : folder) {
        Path fileName = file.getFileName();
        if (fileName != null && FILES.contains(fileName.toString())) {
          folder.deleteFile(fileName);
        }
      }
    }
  }
}
