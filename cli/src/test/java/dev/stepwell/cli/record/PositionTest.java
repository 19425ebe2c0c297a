package dev.stepwell.cli.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.cli.process.CommandException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PositionTest {
  @Test
  void words_andOffsets() {
    assertThat(Position.parse("--from", "earliest", 0)).isEqualTo(new Position.Earliest());
    assertThat(Position.parse("--from", "latest", 0)).isEqualTo(new Position.Latest());
    assertThat(Position.parse("--from", "3:17", 0)).isEqualTo(new Position.Offsets(Map.of(3, 17L)));
    assertThat(Position.parse("--from", "0:1,12:99", 0))
        .isEqualTo(new Position.Offsets(Map.of(0, 1L, 12, 99L)));
  }

  @ParameterizedTest
  @CsvSource({
    "1970-01-02, 86400000",
    "1970-01-01T00:00:01, 1000",
    "1970-01-01T00:00:01Z, 1000",
    "1970-01-01T01:00:00.5+01:00, 500",
    "-15m, 86400000",
    "-2d, 0",
    "-900000ms, 86400000"
  })
  void times(String text, long atMs) {
    assertThat(Position.parse("--from", text, 87_300_000)).isEqualTo(new Position.Time(atMs));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yesterday", "15m", "-15", "3:", "1:2,1:3", "2026-13-01", "1:2;3:4"})
  void anythingElse_isNamed(String text) {
    assertThatThrownBy(() -> Position.parse("--to", text, 0))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("--to");
  }
}
