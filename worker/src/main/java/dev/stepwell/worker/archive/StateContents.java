package dev.stepwell.worker.archive;

import java.util.Map;

/**
 * What is in a snapshot; immutable. Digests are the same for the same content, 64 hexadecimal
 * digits. Names and texts are what a sandbox said.
 *
 * @param variables the session's variables by name
 * @param files what is in the workspace, by path
 * @param settings what else belongs to the session, by name, such as {@code random}
 */
public record StateContents(
    Map<String, Item> variables, Map<String, Item> files, Map<String, Item> settings) {
  public StateContents {
    variables = Map.copyOf(variables);
    files = Map.copyOf(files);
    settings = Map.copyOf(settings);
  }

  /**
   * One thing in it; immutable.
   *
   * @param digest of its content
   * @param text what it is, for people: {@code 3}, {@code 812 bytes}
   */
  public record Item(String digest, String text) {}
}
