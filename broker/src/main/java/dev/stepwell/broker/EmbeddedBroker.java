package dev.stepwell.broker;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * A running single-node Kafka; thread-safe. The classes that it is made of are not Kafka's public
 * interface, so nothing else touches them.
 */
final class EmbeddedBroker implements AutoCloseable {
  /** {@link BrokerSettings#HOST}, where a name could mean the other family of addresses. */
  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  private final KafkaRaftServer server;
  private final int port;

  private EmbeddedBroker(KafkaRaftServer server, int port) {
    this.server = server;
    this.port = port;
  }

  /**
   * Starts a broker and returns when it serves. A folder that has served before is gone on with.
   *
   * @throws IOException if the port is taken or the folder can't be prepared
   */
  static EmbeddedBroker start(BrokerOptions options) throws IOException {
    int[] ports = choosePorts(options.port());
    Path folder = options.kafkaFolder();
    if (!Files.exists(folder.resolve("meta.properties"))) {
      format(folder);
    } else if (Fencing.isNeeded(folder)) {
      Fencing.fence(ports[1], folder);
    }
    KafkaRaftServer server =
        new KafkaRaftServer(
            new KafkaConfig(BrokerSettings.of(ports[0], ports[1], folder), false), Time.SYSTEM);
    server.startup();
    return new EmbeddedBroker(server, ports[0]);
  }

  String address() {
    return BrokerSettings.HOST + ":" + port;
  }

  /** Ends the broker and waits for its end. */
  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }

  /** The client's and the controller's port; both are bound at once so that they differ. */
  private static int[] choosePorts(int wanted) throws IOException {
    InetAddress loopback = InetAddress.getByAddress(LOOPBACK);
    try (ServerSocket client = new ServerSocket(wanted, 1, loopback);
        ServerSocket controller = new ServerSocket(0, 1, loopback)) {
      return new int[] {client.getLocalPort(), controller.getLocalPort()};
    } catch (IOException e) {
      throw new IOException("port " + wanted + " can't be had: " + e.getMessage(), e);
    }
  }

  private static void format(Path folder) throws IOException {
    Files.createDirectories(folder);
    Formatter formatter =
        new Formatter()
            .setNodeId(BrokerSettings.NODE)
            .setClusterId(Uuid.randomUuid().toString())
            .addDirectory(folder.toString())
            .setMetadataLogDirectory(folder.toString())
            .setControllerListenerName("CONTROLLER")
            .setPrintStream(
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    try {
      formatter.run();
    } catch (Exception e) {
      throw new IOException("can't prepare the folder " + folder + ": " + e.getMessage(), e);
    }
  }
}
