package dev.stepwell.protocol;

import java.util.List;

/**
 * The names of Stepwell's topics under one prefix; immutable. All have the same number of
 * partitions, and what belongs to a request lies in the partition of the same number.
 *
 * @param prefix what the names begin with, {@code stepwell} by default
 */
public record Topics(String prefix) {
  /** The default names: {@code stepwell.requests} and so on. */
  public static final Topics DEFAULT = new Topics("stepwell");

  public Topics {
    Checks.name("prefix", prefix);
  }

  /** Requests, keyed by session id, or by request id for a one-shot. */
  public String requests() {
    return prefix + ".requests";
  }

  /** Results, keyed like their requests. */
  public String results() {
    return prefix + ".results";
  }

  /** Heads, keyed by session id, compacted. */
  public String heads() {
    return prefix + ".heads";
  }

  /** Pieces of snapshots, keyed by session id. */
  public String blobs() {
    return prefix + ".blobs";
  }

  /** What no result could answer, under its original key. */
  public String deadLetters() {
    return prefix + ".dead-letters";
  }

  /** Cancels, keyed like the requests that they mean. */
  public String control() {
    return prefix + ".control";
  }

  /** All of them. */
  public List<String> all() {
    return List.of(requests(), results(), heads(), blobs(), deadLetters(), control());
  }
}
