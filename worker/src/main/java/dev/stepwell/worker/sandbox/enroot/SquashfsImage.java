package dev.stepwell.worker.sandbox.enroot;

import dev.stepwell.worker.sandbox.ImageNames;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.SandboxException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A squashfs file as it is at one moment; immutable.
 *
 * @param path the file
 * @param key a name for its container root, which another file or another state of this one doesn't
 *     have
 */
record SquashfsImage(Path path, String key) {
  /** The first four bytes: "hsqs", read as a little-endian number. */
  private static final int MAGIC = 0x7371_7368;

  private static final int SUPER_BLOCK_BYTES = 96;
  private static final int BYTES_USED = 40;

  /** Changes when container roots are made otherwise. */
  private static final int LAYOUT = 1;

  private static final int KEY_DIGITS = 16;
  private static final int MAX_STEM = 60;

  /**
   * Looks at the profile's image.
   *
   * @throws SandboxException if it names none, or one that isn't there or isn't whole; permanent,
   *     with the way to get it
   */
  static SquashfsImage of(Profile profile) throws SandboxException {
    Path path = profile.squashfs();
    if (path == null) {
      throw refused(
          profile, "names no squashfs image", "set profile." + profile.name() + ".squashfs");
    }
    if (!Files.isRegularFile(path)) {
      throw refused(
          profile,
          "runs from the squashfs image " + path + ", which is not there",
          ImageNames.wayOut(profile, EnrootBackend.NAME, path.toString()));
    }
    try {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      requireWhole(profile, path, found.size());
      return new SquashfsImage(path, key(path, found));
    } catch (IOException e) {
      throw SandboxException.permanent(
          "the squashfs image " + path + " of profile " + profile.name() + " can't be read: " + e,
          e);
    }
  }

  private static void requireWhole(Profile profile, Path path, long size)
      throws IOException, SandboxException {
    ByteBuffer start = ByteBuffer.allocate(SUPER_BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (SeekableByteChannel file = Files.newByteChannel(path)) {
      while (start.hasRemaining() && file.read(start) >= 0) {
        // A channel may give less than there is.
      }
    }
    if (start.hasRemaining() || start.getInt(0) != MAGIC) {
      throw refused(
          profile,
          "runs from " + path + ", which is no squashfs image",
          "make one with bin/stepwell images, enroot import or mksquashfs");
    }
    long used = start.getLong(BYTES_USED);
    if (used > size) {
      throw refused(
          profile,
          "runs from the squashfs image "
              + path
              + ", of which only "
              + size
              + " of "
              + used
              + " bytes are there",
          "copy or build it again");
    }
  }

  private static SandboxException refused(Profile profile, String what, String wayOut) {
    return SandboxException.permanent(
        "profile " + profile.name() + " " + what + "; " + wayOut, null);
  }

  private static String key(Path path, BasicFileAttributes found) {
    String state =
        "%d %s %d %s %s"
            .formatted(
                LAYOUT,
                path.toAbsolutePath().normalize(),
                found.size(),
                found.lastModifiedTime().toInstant(),
                found.fileKey());
    String stem = String.valueOf(path.getFileName()).replaceAll("\\.sqsh$|\\.squashfs$", "");
    String safe = stem.replaceAll("[^A-Za-z0-9._]", "_");
    String shortened = safe.length() > MAX_STEM ? safe.substring(0, MAX_STEM) : safe;
    return "i_" + shortened + "-" + sha256(state).substring(0, KEY_DIGITS);
  }

  private static String sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
