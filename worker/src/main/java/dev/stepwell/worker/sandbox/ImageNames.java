package dev.stepwell.worker.sandbox;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Where the backends find what a profile names as its image: one name, and a form of it for each
 * backend. Stateless.
 *
 * <p>A name without {@code /} and {@code :} is an image that {@code stepwell images} made: {@code
 * stepwell/NAME:latest} in a Docker engine, the folder {@code rootfs/NAME} and the file {@code
 * squashfs/NAME.sqsh} in the image folder. Anything else is a reference that an engine understands,
 * and no other backend does.
 */
public final class ImageNames {
  /** The most characters of a name. */
  public static final int MAX_LENGTH = 63;

  private static final Pattern NAME = Pattern.compile("[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*");
  private static final String OURS = "stepwell";
  private static final String ROOTS = "rootfs";
  private static final String SQUASHFS = "squashfs";

  private ImageNames() {}

  /** Whether it is a reference for an engine, rather than the name of an image of ours. */
  public static boolean isReference(String image) {
    return image.indexOf('/') >= 0 || image.indexOf(':') >= 0;
  }

  /** Whether {@code stepwell images} can make an image of that name. */
  public static boolean isName(String image) {
    return image.length() <= MAX_LENGTH && NAME.matcher(image).matches();
  }

  /** What a Docker engine calls it. */
  public static String reference(String image) {
    return isReference(image) ? image : OURS + "/" + image + ":latest";
  }

  /** Its root folder. For a reference it is one that nothing makes. */
  public static Path rootFolder(Path imageFolder, String image) {
    return imageFolder.resolve(ROOTS).resolve(fileName(image));
  }

  /** Its squashfs file. For a reference it is one that nothing makes. */
  public static Path squashfs(Path imageFolder, String image) {
    return imageFolder.resolve(SQUASHFS).resolve(fileName(image) + ".sqsh");
  }

  /** A reference as one file name that no name equals. */
  private static String fileName(String image) {
    return image.replace("%", "%25").replace("/", "%2F").replace(":", "%3A");
  }

  /**
   * The way out for a profile whose image is not there in the form that a backend needs.
   *
   * @param profile the profile
   * @param backend the backend's name
   * @param place where the form was looked for: a path, or a reference
   */
  public static String wayOut(Profile profile, String backend, String place) {
    String build = "bin/stepwell images build %s --backend " + backend;
    String bringIn = "bin/stepwell images import %s --as %s --backend " + backend;
    String image = nameIn(place);
    if (!image.isEmpty()) {
      return "make it by %s, or bring one in by %s"
          .formatted(build.formatted(image), bringIn.formatted("IMAGE", image));
    }
    String free = isName(profile.name()) ? profile.name() : "NAME";
    String setting = "set profile.%s.image=%s".formatted(profile.name(), free);
    if (place.equals(profile.image())) {
      return "fetch it by docker pull %s; or make one by %s and %s"
          .formatted(place, build.formatted(free), setting);
    }
    if (place.endsWith(fileName(profile.image()))) {
      return "%s is for an engine; bring it in by %s and %s"
          .formatted(profile.image(), bringIn.formatted(profile.image(), free), setting);
    }
    return "make one by %s and %s".formatted(build.formatted(free), setting);
  }

  /** The name of ours that a place was derived from; empty if there is none. */
  private static String nameIn(String place) {
    String name = "";
    Path path = Path.of(place);
    Path file = path.getFileName();
    Path parent = path.getParent();
    if (file != null && parent != null) {
      if (parent.equals(Path.of(OURS))) {
        name = file.toString().replaceFirst(":latest$", "");
      } else if (parent.endsWith(ROOTS)) {
        name = file.toString();
      } else if (parent.endsWith(SQUASHFS)) {
        name = file.toString().replaceFirst("\\.sqsh$", "");
      }
    }
    return isName(name) ? name : "";
  }
}
