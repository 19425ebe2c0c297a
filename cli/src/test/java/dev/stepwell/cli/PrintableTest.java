package dev.stepwell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PrintableTest {
  @Test
  void ordinaryText_isLeftAlone() {
    assertThat(Printable.of("grüße\t世界 🚀")).isEqualTo("grüße\t世界 🚀");
  }

  @Test
  void controlCharacters_loseTheirPower() {
    assertThat(Printable.of("\u001b[2Ja\rb\u007f\u009b")).isEqualTo("^[[2Ja^Mb\\x7f\\x9b");
  }
}
