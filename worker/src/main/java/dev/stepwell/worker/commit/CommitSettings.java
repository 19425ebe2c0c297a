package dev.stepwell.worker.commit;

import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.worker.config.KafkaConnection;

/**
 * What all committers of a worker share; immutable.
 *
 * @param kafka how to reach Kafka
 * @param topics the topics' names
 * @param codec turns heads into bytes and back
 * @param pieceBytes the size of a snapshot's pieces, below the blob topic's largest message
 */
public record CommitSettings(
    KafkaConnection kafka, Topics topics, MessageCodec codec, int pieceBytes) {}
