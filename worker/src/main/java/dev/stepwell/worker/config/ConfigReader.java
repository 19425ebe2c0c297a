package dev.stepwell.worker.config;

import dev.stepwell.protocol.Topics;
import dev.stepwell.worker.pool.PoolProfile;
import dev.stepwell.worker.pool.PoolSettings;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Turns settings by name into a checked {@link WorkerConfig}. Used by one thread, once. */
final class ConfigReader {
  private static final Pattern HOST_AND_PORT = Pattern.compile("[^\\s,]+:\\d{1,5}");
  private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}");

  private static final int SANDBOXES_PER_SLOT = 4;
  private static final int MIN_DEFAULT_SANDBOXES = 16;

  private final Map<String, String> settings;
  private final Machine machine;
  private final Values values;

  private ConfigReader(Map<String, String> settings, Machine machine) {
    this.settings = settings;
    this.machine = machine;
    this.values = new Values("", settings, Map.of());
  }

  static WorkerConfig read(Map<String, String> settings, Machine machine) {
    settings.keySet().forEach(NameChecks::check);
    return new ConfigReader(settings, machine).read();
  }

  private WorkerConfig read() {
    WorkerConfig config =
        new WorkerConfig(
            values.text(WorkerSetting.WORKER_ID, machine::workerId),
            kafka(),
            intake(),
            execution(),
            backend(),
            pool(),
            state(),
            new ProfilesReader(settings, values.text(WorkerSetting.DEFAULT_PROFILE), imageFolder())
                .read());
    checkTogether(config);
    return config;
  }

  private WorkerConfig.Kafka kafka() {
    List<String> servers = values.list(WorkerSetting.BOOTSTRAP_SERVERS);
    requireEach(WorkerSetting.BOOTSTRAP_SERVERS, servers, HOST_AND_PORT, "host:port");
    if (servers.isEmpty()) {
      throw ConfigException.badValue(
          WorkerSetting.BOOTSTRAP_SERVERS.spec().key(), "", "host:port, at least one");
    }
    Topics topics = new Topics(values.text(WorkerSetting.TOPIC_PREFIX));
    return new WorkerConfig.Kafka(
        String.join(",", servers),
        values.text(WorkerSetting.CLUSTER_NAME),
        values.text(WorkerSetting.GROUP_ID),
        topics,
        replyTopics(topics),
        values.number(WorkerSetting.MESSAGE_MAX),
        values.number(WorkerSetting.TRANSACTION_TIMEOUT),
        values.number(WorkerSetting.POLL_INTERVAL_MAX),
        KafkaProperties.of(settings));
  }

  private Set<String> replyTopics(Topics topics) {
    List<String> allowed = values.list(WorkerSetting.ALLOWED_REPLY_TOPICS);
    requireEach(WorkerSetting.ALLOWED_REPLY_TOPICS, allowed, TOPIC, "topics' names");
    Set<String> replyTopics = new LinkedHashSet<>(allowed);
    for (String own : topics.all()) {
      if (replyTopics.contains(own) && !own.equals(topics.results())) {
        throw ConfigException.badValue(
            WorkerSetting.ALLOWED_REPLY_TOPICS.spec().key(),
            own,
            "no topic that Stepwell itself keeps");
      }
    }
    replyTopics.add(topics.results());
    return replyTopics;
  }

  private static void requireEach(
      Setting setting, List<String> items, Pattern pattern, String form) {
    for (String item : items) {
      if (!pattern.matcher(item).matches()) {
        throw ConfigException.badValue(setting.spec().key(), item, form + ", separated by commas");
      }
    }
  }

  private WorkerConfig.Intake intake() {
    return new WorkerConfig.Intake(
        values.integer(WorkerSetting.QUEUE_RECORDS),
        values.number(WorkerSetting.QUEUE_BYTES),
        values.integer(WorkerSetting.PARTITION_QUEUE_RECORDS),
        values.number(WorkerSetting.PARTITION_QUEUE_BYTES),
        values.integer(WorkerSetting.PARTITION_WINDOW));
  }

  private WorkerConfig.Execution execution() {
    return new WorkerConfig.Execution(
        slots(),
        values.integer(WorkerSetting.COMMIT_CONCURRENCY),
        values.integer(WorkerSetting.ATTEMPTS_MAX),
        values.number(WorkerSetting.SHUTDOWN_GRACE),
        values.number(WorkerSetting.TAKE_TIMEOUT));
  }

  private int slots() {
    return values.integer(WorkerSetting.SLOTS, machine::cores);
  }

  private WorkerConfig.Backend backend() {
    String folder =
        values.text(
            WorkerSetting.SCRATCH_FOLDER,
            () -> machine.temporaryFolder().resolve("stepwell").toString());
    return new WorkerConfig.Backend(
        values.text(WorkerSetting.BACKEND),
        values.text(WorkerSetting.DOCKER_HOST),
        values.text(WorkerSetting.BUBBLEWRAP_PATH),
        values.text(WorkerSetting.ENROOT_PATH),
        values.text(WorkerSetting.ENROOT_USER),
        Path.of(folder));
  }

  private Path imageFolder() {
    String folder = values.text(WorkerSetting.IMAGE_FOLDER, () -> machine.imageFolder().toString());
    Path path = Path.of(folder);
    if (!path.isAbsolute()) {
      throw ConfigException.badValue(
          WorkerSetting.IMAGE_FOLDER.spec().key(), folder, "an absolute path");
    }
    return path;
  }

  private PoolSettings pool() {
    int maxSandboxes =
        values.integer(
            WorkerSetting.SANDBOXES_MAX,
            () -> Math.max(MIN_DEFAULT_SANDBOXES, SANDBOXES_PER_SLOT * slots()));
    return new PoolSettings(
        maxSandboxes,
        values.integer(WorkerSetting.POOL_CREATORS, machine::cores),
        values.integer(WorkerSetting.POOL_DESTROYERS, machine::cores),
        values.number(WorkerSetting.POOL_IDLE_LIFETIME),
        new PoolSettings.Retry(
            values.integer(WorkerSetting.POOL_CREATE_ATTEMPTS),
            values.number(WorkerSetting.POOL_CREATE_BACKOFF),
            values.number(WorkerSetting.POOL_FAILURE_PAUSE)));
  }

  private WorkerConfig.State state() {
    return new WorkerConfig.State(
        values.number(WorkerSetting.SNAPSHOT_CACHE),
        values.number(WorkerSetting.CLAIM_CHECK),
        new WorkerConfig.ObjectStore(
            new StoreReader(values).read(),
            values.number(WorkerSetting.OBJECT_STORE_RETENTION),
            values.integer(WorkerSetting.OBJECT_STORE_CONCURRENCY),
            values.number(WorkerSetting.OBJECT_STORE_TIME)),
        values.number(WorkerSetting.RESTORE_TIME),
        values.number(WorkerSetting.SAVE_TIME));
  }

  private void checkTogether(WorkerConfig config) {
    WorkerConfig.Intake intake = config.intake();
    bound(WorkerSetting.PARTITION_QUEUE_RECORDS, intake.partitionQueueRecords())
        .atMost(bound(WorkerSetting.QUEUE_RECORDS, intake.queueRecords()));
    bound(WorkerSetting.PARTITION_QUEUE_BYTES, intake.partitionQueueBytes())
        .atMost(bound(WorkerSetting.QUEUE_BYTES, intake.queueBytes()));
    bound(WorkerSetting.MESSAGE_MAX, config.kafka().messageMaxBytes())
        .atMost(bound(WorkerSetting.PARTITION_QUEUE_BYTES, intake.partitionQueueBytes()));
    bound(WorkerSetting.SLOTS, config.execution().slots())
        .atMost(bound(WorkerSetting.SANDBOXES_MAX, config.pool().maxSandboxes()));
    long kept = config.profiles().forPool().stream().mapToLong(PoolProfile::minIdle).sum();
    if (config.execution().slots() + kept > config.pool().maxSandboxes()) {
      throw new ConfigException(
          WorkerSetting.SANDBOXES_MAX.spec().key(),
          "slots (%d) and the profiles' pool.min together (%d) are more than %s (%d)"
              .formatted(
                  config.execution().slots(),
                  kept,
                  WorkerSetting.SANDBOXES_MAX.spec().key(),
                  config.pool().maxSandboxes()));
    }
  }

  private Bound bound(Setting setting, long value) {
    return new Bound(values.name(setting), setting.spec().domain().kind(), value);
  }
}
