package dev.stepwell.worker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KindTest {
  @ParameterizedTest
  @CsvSource({
    "COUNT, 0, 0",
    "COUNT, 12, 12",
    "SIZE, 0, 0",
    "SIZE, 1B, 1",
    "SIZE, 900KiB, 921600",
    "SIZE, 64mib, 67108864",
    "SIZE, 1GiB, 1073741824",
    "DURATION, 0, 0",
    "DURATION, 500ms, 500",
    "DURATION, 30s, 30000",
    "DURATION, 10m, 600000",
    "DURATION, 2h, 7200000",
    "CORES, 0.5, 500",
    "CORES, 2, 2000",
    "CORES, 1.125, 1125",
  })
  void parse_givesBaseUnits(Kind kind, String text, long expected) {
    assertThat(kind.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "COUNT, 1.5",
    "COUNT, -1",
    "COUNT, 12s",
    "COUNT, ''",
    "COUNT, 99999999999999999999",
    "SIZE, 64",
    "SIZE, 64MB",
    "SIZE, 64 MiB",
    "SIZE, 30s",
    "SIZE, 99999999999GiB",
    "DURATION, 30",
    "DURATION, 1d",
    "DURATION, MiB",
    "CORES, 0.0005",
    "CORES, 1e3",
    "CORES, -1",
  })
  void parse_refusesWhatIsOfAnotherForm(Kind kind, String text) {
    assertThatThrownBy(() -> kind.parse(text)).isInstanceOf(NumberFormatException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "SIZE, 921600, 900KiB",
    "SIZE, 1073741824, 1GiB",
    "SIZE, 1025, 1025B",
    "DURATION, 90000, 90s",
    "DURATION, 3600000, 1h",
    "DURATION, 1001, 1001ms",
    "CORES, 1500, 1.5",
    "CORES, 100000, 100",
    "COUNT, 7, 7",
  })
  void format_takesTheLargestUnit_andReadsBack(Kind kind, long value, String expected) {
    assertThat(kind.format(value)).isEqualTo(expected);
    assertThat(kind.parse(expected)).isEqualTo(value);
  }

  @Test
  void everyBound_readsBack() {
    for (WorkerSetting setting : WorkerSetting.values()) {
      Domain domain = setting.spec().domain();
      if (domain.kind().isNumber()) {
        assertThat(domain.kind().parse(domain.kind().format(domain.minimum())))
            .isEqualTo(domain.minimum());
        assertThat(domain.kind().parse(domain.kind().format(domain.maximum())))
            .isEqualTo(domain.maximum());
      }
    }
  }
}
