package dev.stepwell.worker.intake;

import dev.stepwell.protocol.Topics;
import dev.stepwell.worker.config.KafkaConnection;
import java.util.function.Consumer;

/**
 * How requests are read; immutable.
 *
 * @param kafka how to reach Kafka
 * @param topics the topics' names
 * @param maxPollRecords how many requests one poll may bring, at least 1
 * @param onFailure told, on the intake thread, of the fault that ended it
 */
public record IntakeSettings(
    KafkaConnection kafka,
    Topics topics,
    int maxPollRecords,
    Consumer<RuntimeException> onFailure) {}
