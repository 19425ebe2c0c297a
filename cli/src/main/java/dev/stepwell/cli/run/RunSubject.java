package dev.stepwell.cli.run;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run is about, by which a later process finds its folder and sees whether it is still the
 * same; immutable.
 *
 * @param kind what runs, in small letters: {@code replay}, {@code eval}; a run's name begins with
 *     its first letter
 * @param inputs the files that say what to do
 * @param options what else decides about the outcome, each as {@code name=value}
 * @param bootstrap where Kafka is; null for a broker of the run's own
 */
public record RunSubject(
    String kind, List<Path> inputs, List<String> options, @Nullable String bootstrap) {
  private static final int EDGE_BYTES = 1 << 20;
  private static final int PLACE_DIGITS = 12;

  public RunSubject {
    if (!kind.matches("[a-z]+")) {
      throw new IllegalArgumentException("'" + kind + "' is no kind of run");
    }
    inputs = List.copyOf(inputs);
    options = List.copyOf(options);
  }

  /**
   * The folder that a run of this has where the user names none.
   *
   * @param environment where {@code XDG_STATE_HOME} and {@code HOME} are looked up
   */
  public Path defaultFolder(Map<String, String> environment) {
    String state = environment.getOrDefault("XDG_STATE_HOME", "");
    Path root =
        state.isEmpty()
            ? Path.of(
                environment.getOrDefault("HOME", System.getProperty("user.home")),
                ".local",
                "state")
            : Path.of(state);
    MessageDigest digest = sha256();
    inputs.forEach(input -> add(digest, input.toAbsolutePath().normalize().toString()));
    options.forEach(option -> add(digest, option));
    add(digest, String.valueOf(bootstrap));
    String name = HexFormat.of().formatHex(digest.digest()).substring(0, PLACE_DIGITS);
    return root.resolve(Path.of("stepwell", "runs", kind + "-" + name));
  }

  /**
   * The same as long as the files are: of their sizes, their times, and how they begin and end.
   *
   * @throws IOException if one can't be read
   */
  String inputFingerprint() throws IOException {
    MessageDigest digest = sha256();
    for (Path input : inputs) {
      add(digest, Files.size(input) + " " + Files.getLastModifiedTime(input).toMillis());
      addEdges(digest, input);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void addEdges(MessageDigest digest, Path input) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(input.toFile(), "r")) {
      byte[] edge = new byte[(int) Math.min(EDGE_BYTES, file.length())];
      file.readFully(edge);
      digest.update(edge);
      file.seek(file.length() - edge.length);
      file.readFully(edge);
      digest.update(edge);
    }
  }

  private static void add(MessageDigest digest, String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
