package dev.stepwell.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IgnoreRulesTest {
  private static String normalised(String rule, String text) {
    return IgnoreRules.of(List.of("-addresses", rule)).normalise(Part.STDOUT, text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "addresses|<C at 0x7f3a5c2b1d30>|<C at <ignored>>",
        "addresses|0xff is 255|0xff is 255",
        "addresses|a0x7f3a5c2b|a0x7f3a5c2b",
        "times|at 2026-11-22T00:01:02.123456Z, ok|at <ignored>, ok",
        "times|on 2026-11-22|on <ignored>",
        "times|2026-11-22 00:01:02+01:00 x|<ignored> x",
        "times|took until 12:34:56.789|took until <ignored>",
        "times|now 1732233600.25 and 1732233600123|now <ignored> and <ignored>",
        "times|n = 123456789 or 12:34|n = 123456789 or 12:34",
        "times|v1.1732233600.2|v1.1732233600.2",
        "durations|took 1.5 s, 20ms, 3 minutes|took <ignored>, <ignored>, <ignored>",
        "durations|5 apples and 7 snakes|5 apples and 7 snakes",
        "uuids|id 6fa459ea-ee8a-3ca4-894e-db77e160355e.|id <ignored>.",
        "hex|deadbeefdeadbeef00 deadbeef|<ignored> deadbeef",
        "paths-tmp|open /tmp/tmpab_12cd9/x.txt now|open <ignored>/x.txt now",
        "paths-tmp|open /tmp/out.csv|open /tmp/out.csv",
        "/b+/|abbbc|a<ignored>c",
        "stdout:/[0-9]+/|a1b22|a<ignored>b<ignored>",
        "stderr:/[0-9]+/|a1b22|a1b22",
        "/x*/|abc|abc",
      })
  void rule_takesOutWhatItNames(String rule, String text, String expected) {
    assertThat(normalised(rule, text)).isEqualTo(expected);
  }

  @Test
  void addresses_areIgnoredUnlessSaidOtherwise() {
    assertThat(IgnoreRules.DEFAULT.normalise(Part.VALUE, "at 0x7f00aa")).isEqualTo("at <ignored>");
    assertThat(IgnoreRules.of(List.of("-addresses")).normalise(Part.VALUE, "at 0x7f00aa"))
        .isEqualTo("at 0x7f00aa");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "adresses", "-stdout", "/(/", "stdout:/(/", "variable:", "foo:bar", "/", "//"})
  void whatIsNoRule_isNamedAndTheFormsAreListed(String rule) {
    assertThatThrownBy(() -> IgnoreRules.of(List.of("times", rule)))
        .isInstanceOf(IgnoreRuleException.class)
        .hasMessageContaining("'" + rule + "'")
        .hasMessageContaining("paths-tmp");
  }

  @ParameterizedTest
  @ValueSource(strings = {"(a+)+b", "(a|aa)*b", "(x|a)*b", "(.*,){20}b"})
  void expressionThatTakesForEver_isNamed(String expression) {
    IgnoreRules rules = IgnoreRules.of(List.of("/" + expression + "/"));
    String text = "a,a".repeat(20_000);
    Assertions.assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          try {
            rules.normalise(Part.STDOUT, text);
          } catch (IgnoreRuleException e) {
            assertThat(e).hasMessageContaining(expression);
          }
        });
    assertThatThrownBy(
            () -> IgnoreRules.of(List.of("/(a+)+b/")).normalise(Part.STDOUT, "a".repeat(50_000)))
        .isInstanceOf(IgnoreRuleException.class);
  }

  @Test
  void longText_isNormalisedToItsEnd() {
    String line = "at 0x7f00aa11\n";
    String text = line.repeat(200_000);
    assertThat(IgnoreRules.DEFAULT.normalise(Part.STDOUT, text))
        .isEqualTo("at <ignored>\n".repeat(200_000));
  }

  @Test
  void rules_areKeptAsWritten() {
    List<String> written = List.of("times", "variable:x*", "stdout:/a/", "-addresses");
    assertThat(IgnoreRules.of(written).written()).isEqualTo(written);
  }

  @Test
  void patterns_standForWholeNames() {
    IgnoreRules rules = IgnoreRules.of(List.of("variable:tmp_*", "file:logs/*.t?t", "artifact:*"));
    assertThat(rules.ignoresVariable("tmp_a")).isTrue();
    assertThat(rules.ignoresVariable("a_tmp_a")).isFalse();
    assertThat(rules.ignoresFile("logs/a/b.txt")).isTrue();
    assertThat(rules.ignoresFile("logs/a/b.csv")).isFalse();
    assertThat(rules.ignoresArtifact("any")).isTrue();
    assertThat(new Glob("*".repeat(2000) + "b").matches("a".repeat(5000))).isFalse();
  }
}
