package dev.stepwell.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.protocol.Topics;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StepwellBuilderTest {
  @Test
  void defaults_areThoseThatAreDocumented() {
    assertThat(Stepwell.builder("h:1").options())
        .isEqualTo(
            new ClientOptions(
                "h:1",
                Topics.DEFAULT,
                null,
                "stepwell-client",
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                1024,
                8 << 20,
                Map.of()));
  }

  @Test
  void replyTopic_isWhereResultsAreReadFrom() {
    StepwellBuilder builder = Stepwell.builder("h:1").topicPrefix("p");
    assertThat(builder.options().resultTopic()).isEqualTo("p.results");
    assertThat(builder.replyTopic("mine").options().resultTopic()).isEqualTo("mine");
  }

  @Test
  void kafkaProperty_reachesProducerConsumerAndAdmin() {
    ClientOptions options =
        Stepwell.builder("h:1").kafkaProperty("security.protocol", "SSL").options();
    assertThat(KafkaSettings.producer(options)).containsEntry("security.protocol", "SSL");
    assertThat(KafkaSettings.consumer(options)).containsEntry("security.protocol", "SSL");
    assertThat(KafkaSettings.admin(options)).containsEntry("security.protocol", "SSL");
  }

  @Test
  void kafkaPropertyThatGuaranteesRestOn_isRefused() {
    assertThatThrownBy(() -> Stepwell.builder("h:1").kafkaProperty("isolation.level", "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("isolation.level");
  }

  @Test
  void boundsBelowOne_areRefusedByName() {
    assertThatThrownBy(() -> Stepwell.builder("h:1").maxInFlight(0))
        .hasMessageContaining("maxInFlight is 0");
    assertThatThrownBy(() -> Stepwell.builder("h:1").maxRequestBytes(-1))
        .hasMessageContaining("maxRequestBytes is -1");
    assertThatThrownBy(() -> Stepwell.builder("h:1").connectTimeout(Duration.ZERO))
        .hasMessageContaining("connectTimeout is PT0S");
  }
}
