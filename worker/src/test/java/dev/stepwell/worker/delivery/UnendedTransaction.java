package dev.stepwell.worker.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.TxnOffsetCommitRequest;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that the coordinator calls ended, and that has no end where it wrote: what a broker
 * leaves that is killed at the wrong moment. It is made by writing under the producer's name behind
 * the coordinator's back, which a broker allows that {@link TestKafka#trustProducers}.
 */
final class UnendedTransaction {
  /** The last versions in which a producer tells the coordinator itself where it writes. */
  private static final short PRODUCE = ProduceRequest.LAST_STABLE_VERSION_BEFORE_TRANSACTION_V2;

  private static final short OFFSET_COMMIT =
      TxnOffsetCommitRequest.LAST_STABLE_VERSION_BEFORE_TRANSACTION_V2;

  private final String transactionalId;
  private final long producerId;
  private final short epoch;

  private UnendedTransaction(String transactionalId, long producerId, short epoch) {
    this.transactionalId = transactionalId;
    this.producerId = producerId;
    this.epoch = epoch;
  }

  /**
   * Runs a transaction to its end, for the coordinator to remember how that was.
   *
   * @param settings of the producer whose transaction it is
   * @param elsewhere where it writes what is of no interest
   */
  static UnendedTransaction of(Properties settings, TopicPartition elsewhere, boolean committed)
      throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
      producer.initTransactions();
      producer.beginTransaction();
      producer
          .send(
              new ProducerRecord<>(
                  elsewhere.topic(), elsewhere.partition(), new byte[1], new byte[1]))
          .get();
      if (committed) {
        producer.commitTransaction();
      } else {
        producer.abortTransaction();
      }
    }
    String id = settings.getProperty("transactional.id");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestKafka.bootstrap()))) {
      TransactionDescription found = admin.describeTransactions(List.of(id)).description(id).get();
      return new UnendedTransaction(id, found.producerId(), (short) found.producerEpoch());
    }
  }

  void produce(TopicPartition where, byte[] key, byte @Nullable [] value) throws IOException {
    MemoryRecords records =
        MemoryRecords.withTransactionalRecords(
            Compression.NONE, producerId, epoch, 0, new SimpleRecord(key, value));
    ProduceRequestData.TopicProduceData topic =
        new ProduceRequestData.TopicProduceData()
            .setName(where.topic())
            .setPartitionData(
                List.of(
                    new ProduceRequestData.PartitionProduceData()
                        .setIndex(where.partition())
                        .setRecords(records)));
    ProduceRequestData data =
        new ProduceRequestData()
            .setTransactionalId(transactionalId)
            .setAcks((short) -1)
            .setTimeoutMs(10_000)
            .setTopicData(
                new ProduceRequestData.TopicProduceDataCollection(List.of(topic).iterator()));
    send(ApiKeys.PRODUCE, PRODUCE, ProduceRequest.builder(data).build(PRODUCE));
  }

  void commitOffset(String group, TopicPartition where, long offset) throws IOException {
    TxnOffsetCommitRequestData data =
        new TxnOffsetCommitRequestData()
            .setTransactionalId(transactionalId)
            .setGroupId(group)
            .setProducerId(producerId)
            .setProducerEpoch(epoch)
            .setTopics(
                List.of(
                    new TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic()
                        .setName(where.topic())
                        .setPartitions(
                            List.of(
                                new TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition()
                                    .setPartitionIndex(where.partition())
                                    .setCommittedOffset(offset)))));
    send(ApiKeys.TXN_OFFSET_COMMIT, OFFSET_COMMIT, new TxnOffsetCommitRequest(data, OFFSET_COMMIT));
  }

  private static void send(ApiKeys api, short version, AbstractRequest request) throws IOException {
    String address = TestKafka.bootstrap().replaceFirst("^.*//", "");
    int colon = address.lastIndexOf(':');
    RequestHeader header = new RequestHeader(api, version, "unended", 1);
    ByteBuffer message = request.serializeWithHeader(header);
    try (Socket socket =
        new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)))) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(message.remaining());
      out.write(message.array(), message.arrayOffset(), message.remaining());
      out.flush();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] answer = in.readNBytes(in.readInt());
      AbstractResponse response = AbstractResponse.parseResponse(ByteBuffer.wrap(answer), header);
      assertThat(response.errorCounts()).containsOnlyKeys(Errors.NONE);
    }
  }
}
