package dev.stepwell.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BrokerOptionsTest {
  @Test
  void noArguments_takeAFreePortAndATemporaryFolder() throws IOException {
    BrokerOptions options = BrokerOptions.parse();
    Files.delete(options.dataFolder());
    assertThat(options.port()).isZero();
    assertThat(options.temporary()).isTrue();
  }

  @Test
  void namedFolder_isMadeAndKept(@TempDir Path parent) throws IOException {
    BrokerOptions options = BrokerOptions.parse("--port=9092", "--data=" + parent.resolve("a/b"));
    assertThat(options).isEqualTo(new BrokerOptions(9092, parent.resolve("a/b"), false));
    assertThat(options.dataFolder()).isDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--port=65536", "--port=-1", "--port=", "--port=x", "--ports=1", "9092"})
  void wrongArgument_isNamed(String argument) {
    assertThatThrownBy(() -> BrokerOptions.parse(argument))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + argument + "'");
  }
}
