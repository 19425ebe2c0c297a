package dev.stepwell.worker.commit;

import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.worker.config.KafkaConnection;
import dev.stepwell.worker.snapshot.SnapshotStore;

/**
 * What all committers of a worker share; immutable.
 *
 * @param kafka how to reach Kafka
 * @param topics the topics' names
 * @param codec turns heads into bytes and back
 * @param snapshots remembers the snapshots that were committed
 */
public record CommitSettings(
    KafkaConnection kafka, Topics topics, MessageCodec codec, SnapshotStore snapshots) {}
