package dev.stepwell.worker.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.protocol.Value;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a step shows, whatever its process says of it. */
final class DisplayReportTest {
  private static final int MIDDLE = 0;
  private static final int LAST = 1;
  private static final int FIRST = 2;
  private static final int ONLY = 3;

  private final DisplayReport report = new DisplayReport();

  private static byte[] part(int flags, byte[] bytes) {
    byte[] part = new byte[bytes.length + 1];
    part[0] = (byte) flags;
    System.arraycopy(bytes, 0, part, 1, bytes.length);
    return part;
  }

  private static byte[] display(String text, String... forms) {
    Fields.Writer fields = new Fields.Writer().add("text", text).add("type", "t");
    for (int i = 0; i < forms.length; i += 2) {
      fields.add("mime." + forms[i], forms[i + 1]);
    }
    return fields.payload();
  }

  @Test
  void displays_areTakenInTheirOrder() throws Exception {
    report.part(part(ONLY, display("one", "image/png", "cG5n", "text/html", "<b>ü")));
    report.part(part(ONLY, display("two")));

    assertThat(report.displays())
        .containsExactly(
            new Value("one", "t", Map.of("image/png", "cG5n", "text/html", "<b>ü")),
            new Value("two", "t", Map.of()));
  }

  @Test
  void displayInParts_isPutTogether() throws Exception {
    byte[] whole = display("one", "a/b", "x".repeat(1000));
    report.part(part(FIRST, Arrays.copyOf(whole, 10)));
    report.part(part(MIDDLE, Arrays.copyOfRange(whole, 10, 500)));
    assertThat(report.displays()).isEmpty();
    report.part(part(LAST, Arrays.copyOfRange(whole, 500, whole.length)));

    assertThat(report.displays())
        .containsExactly(new Value("one", "t", Map.of("a/b", "x".repeat(1000))));
  }

  @Test
  void displayThatBreaksOff_leavesNothingToTheNext() throws Exception {
    report.part(part(FIRST, display("lost")));
    report.part(part(ONLY, display("next")));
    report.part(part(FIRST, display("lost, too")));

    assertThat(report.displays()).containsExactly(new Value("next", "t", Map.of()));
  }

  @Test
  void displayThatCantBeRead_isLeftOut() throws Exception {
    byte[][] forged = {
      {},
      {5, 'x'},
      new Fields.Writer().add("text", "without a type").payload(),
      new Fields.Writer().add("type", "without a text").payload(),
      display("x".repeat((64 << 10) + 1)),
    };
    for (byte[] bytes : forged) {
      report.part(part(ONLY, bytes));
    }
    report.part(part(ONLY, display("good")));

    assertThat(report.displays()).containsExactly(new Value("good", "t", Map.of()));
  }

  @Test
  void displaysBeyondTheMost_areLeftOut() throws Exception {
    for (int i = 0; i <= DisplayReport.MOST; i++) {
      report.part(part(ONLY, display("d" + i)));
    }
    assertThat(report.displays()).hasSize(DisplayReport.MOST);
    assertThat(report.displays().get(DisplayReport.MOST - 1).text())
        .isEqualTo("d" + (DisplayReport.MOST - 1));
  }

  @Test
  void formsBeyondTheirBytes_areLeftOutAndTheDisplayStays() throws Exception {
    String half = "x".repeat(DisplayReport.FORMS_BYTES / 2);
    report.part(part(ONLY, display("one", "a/1", half, "a/2", half)));
    report.part(part(ONLY, display("two", "a/3", "y")));

    assertThat(report.displays())
        .containsExactly(
            new Value("one", "t", Map.of("a/1", half, "a/2", half)),
            new Value("two", "t", Map.of()));
  }

  @Test
  void moreThanAStepMayShow_isAViolation() throws Exception {
    byte[] most = new byte[DisplayReport.PARTS_BYTES];
    report.part(most);

    assertThatThrownBy(() -> report.part(new byte[1])).isInstanceOf(ChannelViolation.class);
    assertThatThrownBy(() -> new DisplayReport().part(new byte[0]))
        .isInstanceOf(ChannelViolation.class);
  }
}
