package dev.stepwell.worker.execution;

import dev.stepwell.worker.config.Profiles;
import java.util.Set;

/**
 * What a worker admits; immutable.
 *
 * @param partitions how many partitions every topic has
 * @param profiles the profiles on offer
 * @param defaultReplyTopic where results go that name no topic
 * @param replyTopics where results may go, the default included
 */
public record AdmissionSettings(
    int partitions, Profiles profiles, String defaultReplyTopic, Set<String> replyTopics) {
  public AdmissionSettings {
    replyTopics = Set.copyOf(replyTopics);
  }
}
