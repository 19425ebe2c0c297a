package dev.stepwell.cli.run;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The name of a run, which the ids of all its requests and sessions begin with; immutable.
 *
 * @param text 13 characters: a letter that says what runs, and 12 random hexadecimal digits
 */
public record RunId(String text) {
  private static final int RANDOM_BYTES = 6;
  private static final int MAX_ID = 128;

  public RunId {
    if (!text.matches("[a-z][0-9a-f]{12}")) {
      throw new IllegalArgumentException("'" + text + "' is no name of a run");
    }
  }

  /**
   * A name that no other run has.
   *
   * @param kind what runs: {@code r} for a replay, {@code e} for an evaluation
   */
  public static RunId random(char kind) {
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return new RunId(kind + HexFormat.of().formatHex(bytes));
  }

  /**
   * The id that something has in this run, always the same: readable where it is short enough.
   *
   * @param name what it is called elsewhere, printable ASCII without spaces
   */
  public String of(String name) {
    String whole = text + "." + name;
    return whole.length() <= MAX_ID ? whole : text + "." + sha256(name);
  }

  private static String sha256(String name) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(name.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
