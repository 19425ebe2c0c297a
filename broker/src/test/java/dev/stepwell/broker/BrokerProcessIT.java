package dev.stepwell.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
final class BrokerProcessIT {
  private static final Path LIB = Path.of("target", "dist", "lib");
  private static final Duration START = Duration.ofSeconds(60);

  @Test
  void readyBroker_takesConnectionsUntilItIsClosed() throws IOException {
    String address;
    try (BrokerProcess broker = BrokerProcess.start(LIB, 0, null, START)) {
      address = broker.bootstrap();
      connect(address);
      assertThat(broker.ended()).isNotDone();
    }
    assertThatThrownBy(() -> connect(address)).isInstanceOf(IOException.class);
  }

  @Test
  void temporaryFolder_goesWithTheBroker() throws Exception {
    BrokerChild child = BrokerChild.start(LIB, 0, null);
    child.awaitReady(START);
    assertThat(child.dataFolder()).isNotEmptyDirectory();
    child.process().getOutputStream().close();
    assertThat(child.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(child.dataFolder()).doesNotExist();
    assertThat(child.process().exitValue()).isZero();
  }

  @Test
  void brokerWhoseParentLeavesWhileItStarts_leavesTooAndClearsUp() throws Exception {
    BrokerChild child = BrokerChild.start(LIB, 0, null);
    child.process().getOutputStream().close();
    assertThat(child.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(child.dataFolder()).doesNotExist();
  }

  @Test
  void terminatedBroker_clearsUp() throws Exception {
    BrokerChild child = BrokerChild.start(LIB, 0, null);
    child.awaitReady(START);
    child.process().destroy();
    assertThat(child.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(child.dataFolder()).doesNotExist();
  }

  @Test
  void killedBroker_isClearedUpAfter() throws Exception {
    BrokerChild child = BrokerChild.start(LIB, 0, null);
    child.awaitReady(START);
    child.process().destroyForcibly().waitFor();
    assertThat(child.dataFolder()).exists();
    child.end();
    assertThat(child.dataFolder()).doesNotExist();
  }

  @Test
  void namedFolder_servesAgain(@TempDir Path folder) throws IOException {
    for (int start = 0; start < 2; start++) {
      try (BrokerProcess broker = BrokerProcess.start(LIB, 0, folder, START)) {
        connect(broker.bootstrap());
      }
      assertThat(folder.resolve("kafka")).isNotEmptyDirectory();
    }
  }

  /** Whatever a transaction that was open has written stays aborted, also behind a later one. */
  @Test
  void killedBroker_endsTheTransactionsThatItFindsOpen(@TempDir Path folder) throws Exception {
    String address;
    try (BrokerProcess broker = BrokerProcess.start(LIB, 0, folder, START)) {
      address = broker.bootstrap();
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
        admin.createTopics(List.of(new NewTopic("topic", 1, (short) 1))).all().get();
      }
      KafkaProducer<String, String> open = begin(address);
      open.send(new ProducerRecord<>("topic", "left open")).get();
      ProcessHandle.of(broker.pid()).orElseThrow().destroyForcibly();
      broker.ended().join();
      open.close(Duration.ZERO);
    }
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    try (BrokerProcess broker = BrokerProcess.start(LIB, port, folder, START)) {
      try (KafkaProducer<String, String> next = begin(broker.bootstrap())) {
        next.send(new ProducerRecord<>("topic", "committed")).get();
        next.commitTransaction();
      }
      assertThat(committed(broker.bootstrap())).containsExactly("committed");
    }
    // Else it would have led partitions that it lost again when it registered.
    assertThat(Files.readString(folder.resolve("broker.log")))
        .contains("controller activation")
        .doesNotContain("TxnMarkerSenderThread");
  }

  private static KafkaProducer<String, String> begin(String address) {
    KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers", address,
                "transactional.id", "only",
                "transaction.timeout.ms", "1000",
                "max.block.ms", "30000"),
            new StringSerializer(),
            new StringSerializer());
    producer.initTransactions();
    producer.beginTransaction();
    return producer;
  }

  private static List<String> committed(String address) {
    List<String> values = new ArrayList<>();
    Map<String, Object> settings =
        Map.of("bootstrap.servers", address, "isolation.level", "read_committed");
    TopicPartition partition = new TopicPartition("topic", 0);
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      while (values.isEmpty()) {
        consumer.poll(Duration.ofMillis(100)).forEach(each -> values.add(each.value()));
      }
    }
    return values;
  }

  @Test
  void folderOfARunningBroker_isRefused(@TempDir Path folder) throws IOException {
    try (BrokerProcess broker = BrokerProcess.start(LIB, 0, folder, START)) {
      assertThatThrownBy(() -> BrokerProcess.start(LIB, 0, folder, START))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(folder.toString());
      connect(broker.bootstrap());
    }
  }

  @Test
  void takenPort_isNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> BrokerProcess.start(LIB, taken.getLocalPort(), null, START))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("port " + taken.getLocalPort() + " can't be had");
    }
  }

  @Test
  void folderWithoutABroker_isNamed(@TempDir Path empty) {
    Path lib = empty.resolve("lib");
    assertThatThrownBy(() -> BrokerProcess.start(lib, 0, null, START))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(lib.toString());
  }

  private static void connect(String address) throws IOException {
    String[] parts = address.split(":", 2);
    try (Socket socket = new Socket(parts[0], Integer.parseInt(parts[1]))) {
      assertThat(socket.isConnected()).isTrue();
    }
  }
}
