package dev.stepwell.cli.replay;

import dev.stepwell.cli.compare.IgnoreRules;
import dev.stepwell.protocol.Topics;
import java.util.Map;

/**
 * What to replay where; immutable.
 *
 * @param title what to call the log
 * @param topics the installation's topics
 * @param installation what its workers are configured with, by name, but for {@code
 *     bootstrap.servers}: settings of Kafka's clients and of the object store count
 * @param profiles what profiles of the log are called here; the empty name is that of requests
 *     which name none
 * @param environment values for variables that were left out of the log
 * @param keepDeadlines whether requests keep their deadlines, as far from now as they were then
 * @param rules what is known to vary
 * @param settings how to go through the log
 */
public record ReplayOptions(
    String title,
    Topics topics,
    Map<String, String> installation,
    Map<String, String> profiles,
    Map<String, String> environment,
    boolean keepDeadlines,
    IgnoreRules rules,
    ReplaySettings settings) {
  public ReplayOptions {
    installation = Map.copyOf(installation);
    profiles = Map.copyOf(profiles);
    environment = Map.copyOf(environment);
  }
}
