package dev.stepwell.worker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.worker.pool.PoolSettings;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerConfigTest {
  private static final Machine MACHINE =
      new Machine(6, "host-1-abc", Path.of("/tmp"), Path.of("/images"));
  private static final long MIB = 1L << 20;

  @Test
  void defaults_areThese() {
    WorkerConfig config = read(Map.of());

    assertThat(config.workerId()).isEqualTo("host-1-abc");
    assertThat(config.kafka().bootstrapServers()).isEqualTo("kafka:9092");
    assertThat(config.kafka().clusterName()).isEqualTo("stepwell");
    assertThat(config.kafka().groupId()).isEqualTo("stepwell-workers");
    assertThat(config.kafka().topics().prefix()).isEqualTo("stepwell");
    assertThat(config.kafka().allowedReplyTopics()).containsExactly("stepwell.results");
    assertThat(config.kafka().messageMaxBytes()).isEqualTo(8 * MIB);
    assertThat(config.kafka().transactionTimeoutMs()).isEqualTo(10_000);
    assertThat(config.kafka().pollIntervalMaxMs()).isEqualTo(300_000);
    assertThat(config.kafka().clientProperties()).isEmpty();
    assertThat(config.intake())
        .isEqualTo(new WorkerConfig.Intake(2000, 64 * MIB, 500, 16 * MIB, 20_000));
    assertThat(config.execution()).isEqualTo(new WorkerConfig.Execution(6, 4, 3, 30_000, 30_000));
    assertThat(config.backend())
        .isEqualTo(
            new WorkerConfig.Backend(
                "auto", "", "bwrap", "enroot", "nobody", Path.of("/tmp/stepwell")));
    assertThat(config.pool())
        .isEqualTo(new PoolSettings(24, 6, 6, 600_000, new PoolSettings.Retry(3, 100, 5_000)));
    assertThat(config.state())
        .isEqualTo(
            new WorkerConfig.State(
                4096 * MIB, MIB, new WorkerConfig.ObjectStore(null, 0, 8, 20_000), 10_000, 10_000));
    assertThat(config.profiles().defaultName()).isEqualTo("plain");
    assertThat(config.profiles().byName()).containsOnlyKeys("plain", "data");
  }

  @ParameterizedTest
  @EnumSource(WorkerSetting.class)
  void numberOutOfRange_isRefusedAtBothEnds(WorkerSetting setting) {
    Domain domain = setting.spec().domain();
    if (!domain.kind().isNumber()) {
      return;
    }
    String above = domain.kind().format(domain.maximum() + 1);
    refused(Map.of(setting.spec().key(), above), setting.spec().key())
        .hasMessageContaining(above)
        .hasMessageContaining(domain.kind().format(domain.maximum()));
    if (domain.minimum() > 0) {
      String below = domain.kind().format(domain.minimum() - 1);
      refused(Map.of(setting.spec().key(), below), setting.spec().key())
          .hasMessageContaining(domain.kind().format(domain.minimum()));
    }
  }

  @Test
  void bootstrapServers_areRequired() {
    assertThatThrownBy(() -> ConfigReader.read(Map.of(), MACHINE))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("bootstrap.servers is not set and has no default");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "kafka", "a:1,,b:2", "a:1,b", "a b:1"})
  void bootstrapServers_areHostsWithPorts(String servers) {
    refused(Map.of("bootstrap.servers", servers), "bootstrap.servers");
  }

  @ParameterizedTest
  @CsvSource({
    "slot, slots",
    "pool.creator, pool.creators",
    "Slots, slots",
    "profile.plain.memroy, profile.plain.memory",
    "profile.x.pool.mni, profile.x.pool.min",
    "kafka.ssl.trustore.location, kafka.ssl.truststore.location",
  })
  void unknownName_isRefusedWithTheNearestOne(String name, String nearest) {
    refused(Map.of(name, "1"), name).hasMessageContaining("did you mean " + nearest + "?");
  }

  @ParameterizedTest
  @CsvSource({
    "slots, many",
    "slots, 4s",
    "shutdown.grace, 30",
    "message.max, 8MB",
    "backend, podman",
    "group.id, a b",
    "group.id, ''",
    "worker.id, ab/c",
    "partition.window, 24001",
    "profile.a.b, 1",
    "profile..memory, 1GiB",
    "profile.a b.memory, 1GiB",
    "profile.a.env.1X, 1",
    "profile.a.imports, 'os; import sys'",
    "profile.a.root.folder, rootfs",
    "profile.a.cpus, 0",
  })
  void badValueOrName_isRefusedWithItsName(String name, String value) {
    refused(Map.of(name, value), name).hasMessageContaining(name);
  }

  @Test
  void longValue_isCutInTheMessage() {
    refused(Map.of("slots", "9".repeat(5000)), "slots").hasMessageContaining("(5000 characters)");
  }

  @ParameterizedTest
  @CsvSource({
    "partition.queue.records, 3000, queue.records (2000)",
    "partition.queue.bytes, 128MiB, queue.bytes (64MiB)",
    "message.max, 32MiB, partition.queue.bytes (16MiB)",
    "slots, 20, pool.sandboxes.max (10)",
    "profile.a.wall.time, 1h, profile.a.wall.time.max (10m)",
    "profile.a.step.memory, 600MiB, profile.a.step.memory.max (512MiB)",
    "profile.a.step.memory.max, 1GiB, profile.a.memory (512MiB)",
    "profile.a.output, 1MiB, profile.a.output.max (256KiB)",
    "profile.a.state, 1GiB, profile.a.state.max (256MiB)",
    "profile.a.pool.min, 17, profile.a.pool.max (16)",
  })
  void contradiction_isRefusedNamingBoth(String name, String value, String other) {
    Map<String, String> settings = new HashMap<>(Map.of(name, value));
    if (name.equals("slots")) {
      settings.put("pool.sandboxes.max", "10");
    }
    refused(settings, name)
        .hasMessageContaining(name + " (" + value + ") must be at most " + other);
  }

  @Test
  void sandboxes_mustSufficeForSlotsAndMinima() {
    Map<String, String> settings = new HashMap<>();
    settings.put("slots", "4");
    settings.put("pool.sandboxes.max", "6");
    settings.put("profile.plain.pool.min", "2");
    assertThat(read(settings).pool().maxSandboxes()).isEqualTo(6);

    settings.put("profile.data.pool.min", "1");
    refused(settings, "pool.sandboxes.max").hasMessageContaining("together (3)");
  }

  @Test
  void defaultProfile_mustExist() {
    refused(Map.of("default.profile", "plian"), "default.profile")
        .hasMessageContaining("[data, plain]");
  }

  @Test
  void replyTopics_includeTheResultsTopicOfThePrefix() {
    WorkerConfig config =
        read(Map.of("topic.prefix", "team", "allowed.reply.topics", "replies , other"));

    assertThat(config.kafka().allowedReplyTopics())
        .isEqualTo(Set.of("team.results", "replies", "other"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"stepwell.heads", "stepwell.requests", "a b"})
  void replyTopics_areNoneThatStepwellKeeps(String topic) {
    refused(Map.of("allowed.reply.topics", topic), "allowed.reply.topics");
  }

  @Test
  void kafkaProperties_arePassedOn_butNotShown() {
    WorkerConfig config =
        read(Map.of("kafka.security.protocol", "SSL", "kafka.ssl.keystore.password", "s3cret"));

    assertThat(config.kafka().clientProperties())
        .isEqualTo(Map.of("security.protocol", "SSL", "ssl.keystore.password", "s3cret"));
    assertThat(config.toString()).contains("ssl.keystore.password").doesNotContain("s3cret");
  }

  @Test
  void kafkaProperties_thatStepwellSets_areRefused() {
    assertThat(KafkaProperties.owned())
        .contains("isolation.level", "enable.auto.commit", "transactional.id", "group.protocol")
        .allSatisfy(
            each ->
                refused(Map.of("kafka." + each, "x"), "kafka." + each)
                    .hasMessageContaining("set by Stepwell itself"));
    refused(Map.of("kafka.group.id", "x"), "kafka.group.id")
        .hasMessageContaining("use group.id instead");
  }

  @Test
  void duplicateName_isRefused() {
    assertThatThrownBy(
            () -> WorkerConfig.parse(new StringReader("slots=1\nbackend=auto\nslots : 2\n")))
        .isInstanceOfSatisfying(
            ConfigException.class, e -> assertThat(e.setting()).isEqualTo("slots"))
        .hasMessageContaining("slots is set twice");
  }

  @Test
  void badEscape_isRefused() {
    assertThatThrownBy(() -> WorkerConfig.parse(new StringReader("worker.id=\\uZZZZ")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("not in the properties format");
  }

  @Test
  void file_isReadAsUtf8(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("worker.properties");
    Files.writeString(
        file, "bootstrap.servers = a:1 , b:2\nprofile.plain.env.GREETING = grüß dich  \n");

    WorkerConfig config = WorkerConfig.parse(file);

    assertThat(config.kafka().bootstrapServers()).isEqualTo("a:1,b:2");
    assertThat(Objects.requireNonNull(config.profiles().find("plain")).environment())
        .containsEntry("GREETING", "grüß dich");
  }

  @Test
  void fileInAnotherEncoding_isRefused(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("worker.properties");
    Files.write(file, "cluster.name=grüß".getBytes(StandardCharsets.ISO_8859_1));

    assertThatThrownBy(() -> WorkerConfig.parse(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is no UTF-8");
  }

  @Test
  void currentMachine_givesAcceptableDefaults() {
    WorkerConfig one = WorkerConfig.of(Map.of("bootstrap.servers", "kafka:9092"));
    WorkerConfig other = WorkerConfig.of(Map.of("bootstrap.servers", "kafka:9092"));

    assertThat(one.workerId()).matches("[A-Za-z0-9._-]{1,63}").isNotEqualTo(other.workerId());
  }

  private static WorkerConfig read(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(Map.of("bootstrap.servers", "kafka:9092"));
    all.putAll(settings);
    return ConfigReader.read(all, MACHINE);
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> refused(
      Map<String, String> settings, String setting) {
    return assertThatThrownBy(() -> read(settings))
        .isInstanceOfSatisfying(
            ConfigException.class, e -> assertThat(e.setting()).isEqualTo(setting));
  }
}
