package dev.stepwell.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PathPatternTest {
  private static final long SEED = Long.getLong("stepwell.seed", System.nanoTime());

  @ParameterizedTest
  @CsvSource({
    "out/a.csv, out/a.csv",
    "*, a.csv",
    "*.csv, .csv",
    "out/*, out/a.csv",
    "*/*.csv, out/a.csv",
    "a*c*e, abcde",
    "a*b, aabab",
    "a?c, abc",
    "a?c, a\ud83d\ude80c",
    "?, \ud83d\ude80",
    "**, a/b/c",
    "**/c, c",
    "**/c, a/b/c",
    "a/**, a/b/c",
    "a/**/c, a/c",
    "a/**/c, a/b/b/c",
    "**/b/**/d, a/b/c/b/c/d",
    "plots/**/*.png, plots/x/y/b.png",
    "a[1]*?, a[1]*?",
  })
  void path_thatFitsIsMatched(String pattern, String path) {
    assertThat(PathPattern.of(pattern).matches(path)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "out, out/a.csv",
    "*, out/a.csv",
    "out/*, out/x/a.csv",
    "out/*, out",
    "*.csv, a.csv.gz",
    "a?c, ac",
    "a?c, a/c",
    "*??, \ud83d\ude80",
    "a**b, a/b",
    "**/c, a/b",
    "a/**/c, a/b",
    "a/**/b/c, a/b/x/c",
    "[ab], a",
    "A, a",
  })
  void path_thatDoesNotFitIsNotMatched(String pattern, String path) {
    assertThat(PathPattern.of(pattern).matches(path)).isFalse();
  }

  @Test
  @Timeout(5)
  void manyWildcards_takeNoTimeBeyondTheProductOfTheLengths() {
    String stars = "*a".repeat(100) + "b";
    assertThat(PathPattern.of(stars).matches("a".repeat(255))).isFalse();
    String anyParts = "**/a/".repeat(500) + "b";
    assertThat(PathPattern.of(anyParts).matches("a/".repeat(1000) + "c")).isFalse();
  }

  @Test
  void anyPattern_matchesWhatTryingEveryWayMatches() {
    SplittableRandom random = new SplittableRandom(SEED);
    int matched = 0;
    for (int round = 0; round < 20_000; round++) {
      String pattern = random(random, List.of("a", "b", "*", "?", "**", "a*", "*b", "?*a"));
      String path = random(random, List.of("a", "b", "ab", "ba", "aab"));
      boolean expected =
          pattern.equals(path) || partsMatch(List.of(pattern.split("/")), List.of(path.split("/")));
      assertThat(PathPattern.of(pattern).matches(path))
          .as("%s and %s, round %d of -Dstepwell.seed=%d", pattern, path, round, SEED)
          .isEqualTo(expected);
      matched += expected ? 1 : 0;
    }
    assertThat(matched).isBetween(1000, 19_000);
  }

  private static String random(SplittableRandom random, List<String> parts) {
    return IntStream.range(0, random.nextInt(1, 6))
        .mapToObj(i -> parts.get(random.nextInt(parts.size())))
        .collect(Collectors.joining("/"));
  }

  private static boolean partsMatch(List<String> patterns, List<String> path) {
    if (patterns.isEmpty()) {
      return path.isEmpty();
    }
    List<String> rest = patterns.subList(1, patterns.size());
    if (patterns.get(0).equals("**")) {
      return IntStream.rangeClosed(0, path.size())
          .anyMatch(taken -> partsMatch(rest, path.subList(taken, path.size())));
    }
    return !path.isEmpty()
        && path.get(0).matches(patterns.get(0).replace("*", ".*").replace("?", "."))
        && partsMatch(rest, path.subList(1, path.size()));
  }

  @Test
  void pattern_knowsWhetherItIsMoreThanAPath() {
    assertThat(PathPattern.of("a/b").hasWildcards()).isFalse();
    assertThat(PathPattern.of("a/?").hasWildcards()).isTrue();
    assertThat(PathPattern.of("a/*").hasWildcards()).isTrue();
  }
}
