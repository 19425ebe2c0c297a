package dev.stepwell.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LineDiffTest {
  @Test
  void blocks_turnTheOneTextIntoTheOther_inAsFewLinesAsPossible() {
    Random random = new Random(3);
    for (int i = 0; i < 2000; i++) {
      List<String> one = lines(random);
      List<String> other = lines(random);
      List<LineDiff.Block> blocks = LineDiff.of(one, other);

      assertThat(applied(blocks, one, other)).isEqualTo(other);
      int edits =
          blocks.stream()
              .mapToInt(
                  each ->
                      each.recordedTo()
                          - each.recordedFrom()
                          + each.replayedTo()
                          - each.replayedFrom())
              .sum();
      assertThat(edits).isEqualTo(one.size() + other.size() - 2 * common(one, other));
    }
  }

  private static List<String> lines(Random random) {
    List<String> lines = new ArrayList<>();
    int count = random.nextInt(12);
    for (int i = 0; i < count; i++) {
      lines.add(String.valueOf((char) ('a' + random.nextInt(3))));
    }
    return lines;
  }

  private static List<String> applied(
      List<LineDiff.Block> blocks, List<String> one, List<String> other) {
    List<String> result = new ArrayList<>();
    int at = 0;
    for (LineDiff.Block block : blocks) {
      result.addAll(one.subList(at, block.recordedFrom()));
      result.addAll(other.subList(block.replayedFrom(), block.replayedTo()));
      at = block.recordedTo();
    }
    result.addAll(one.subList(at, one.size()));
    return result;
  }

  /** The longest common subsequence, the slow way. */
  private static int common(List<String> one, List<String> other) {
    int[][] best = new int[one.size() + 1][other.size() + 1];
    for (int i = one.size() - 1; i >= 0; i--) {
      for (int j = other.size() - 1; j >= 0; j--) {
        best[i][j] =
            one.get(i).equals(other.get(j))
                ? best[i + 1][j + 1] + 1
                : Math.max(best[i + 1][j], best[i][j + 1]);
      }
    }
    return best[0][0];
  }

  @Test
  void textsThatHaveLittleInCommon_areOneBlock() {
    List<String> one = new ArrayList<>(List.of("same"));
    List<String> other = new ArrayList<>(List.of("same"));
    for (int i = 0; i < 50_000; i++) {
      one.add("a" + i);
      other.add("b" + i);
    }
    one.add("end");
    other.add("end");

    assertThat(LineDiff.of(one, other)).containsExactly(new LineDiff.Block(1, 50_001, 1, 50_001));
    assertThat(LineDiff.of(one, one)).isEmpty();
  }
}
