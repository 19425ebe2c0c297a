package dev.stepwell.broker;

import java.nio.file.Path;
import java.util.Properties;

/** The settings of a broker that is alone, small, and has one machine's worth of clients. */
final class BrokerSettings {
  /** A message of 64 MiB, its key, its headers, and the batch around it. */
  static final int MAX_MESSAGE_BYTES = (64 << 20) + (1 << 20);

  static final String HOST = "127.0.0.1";

  /** The number of the only node. */
  static final int NODE = 1;

  private BrokerSettings() {}

  static Properties of(int port, int controllerPort, Path folder) {
    Properties settings = new Properties();
    alone(settings, port, controllerPort);
    settings.put("log.dirs", folder.toString());
    settings.put("auto.create.topics.enable", "false");
    largeMessages(settings);
    small(settings);
    prompt(settings);
    return settings;
  }

  /** The controller of the same node without its broker, which it soon misses. */
  static Properties controllerAlone(int controllerPort, Path folder) {
    Properties settings = of(0, controllerPort, folder);
    settings.put("process.roles", "controller");
    settings.put("listeners", "CONTROLLER://" + HOST + ":" + controllerPort);
    settings.remove("advertised.listeners");
    settings.put("broker.session.timeout.ms", "1000");
    settings.put("broker.heartbeat.interval.ms", "500");
    return settings;
  }

  /** Broker and controller in one process, and nobody to copy anything to. */
  private static void alone(Properties settings, int port, int controllerPort) {
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", Integer.toString(NODE));
    settings.put("controller.quorum.voters", NODE + "@" + HOST + ":" + controllerPort);
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put(
        "listeners",
        "PLAINTEXT://" + HOST + ":" + port + ",CONTROLLER://" + HOST + ":" + controllerPort);
    settings.put("advertised.listeners", "PLAINTEXT://" + HOST + ":" + port);
    settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("share.coordinator.state.topic.replication.factor", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");
  }

  private static void largeMessages(Properties settings) {
    settings.put("message.max.bytes", Integer.toString(MAX_MESSAGE_BYTES));
    settings.put("replica.fetch.max.bytes", Integer.toString(MAX_MESSAGE_BYTES));
  }

  /** Fifty internal partitions each and 128 MiB of cleaner buffer are for clusters. */
  private static void small(Properties settings) {
    settings.put("offsets.topic.num.partitions", "1");
    settings.put("transaction.state.log.num.partitions", "1");
    settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(2 << 20));
    settings.put("num.io.threads", "2");
    settings.put("num.network.threads", "1");
  }

  /**
   * With the defaults, a worker that was killed would keep its partitions for 45 seconds, a
   * transaction retry would sleep 20 ms, and an abandoned transaction would hang for 10 seconds
   * beyond its timeout.
   */
  private static void prompt(Properties settings) {
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("group.min.session.timeout.ms", "1000");
    settings.put("group.consumer.min.session.timeout.ms", "2000");
    settings.put("group.consumer.session.timeout.ms", "6000");
    settings.put("group.consumer.min.heartbeat.interval.ms", "500");
    settings.put("group.consumer.heartbeat.interval.ms", "1000");
    settings.put("add.partitions.to.txn.retry.backoff.ms", "1");
    settings.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");
  }
}
