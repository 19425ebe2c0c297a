package dev.stepwell.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportPageTest {
  @TempDir Path folder;

  @Test
  void data_isNoMarkup() throws IOException {
    String page = page(Reports.evaluation());
    assertThat(find(page, "onerror")).as("the data is there").isNotEmpty();
    assertThat(find(page, "<img")).isEmpty();
    assertThat(find(page, "<svg/")).isEmpty();
    assertThat(find(page, "<script")).hasSize(2);
    assertThat(find(page, "</script")).hasSize(2);
    assertThat(page.chars().allMatch(one -> one == '\n' || (one >= ' ' && one < 0x7f))).isTrue();
  }

  @Test
  void data_arrivesAsItWas_halfSurrogatePairsAmongIt() throws IOException {
    JsonNode data = data(page(Reports.evaluation()));
    JsonNode row = data.at("/rows/3");
    assertThat(row.get("code").textValue()).isEqualTo(Reports.HOSTILE + "\n" + Reports.UNSEEN);
    assertThat(row.get("output").textValue()).isEqualTo(Reports.LONG_LINE + "\n" + Reports.UNSEEN);
    assertThat(row.get("recordedMs")).isNull();
    assertThat(data.get("rows")).hasSize(5000);
    assertThat(data.get("counts").toString())
        .isEqualTo("[[\"passed\",4330],[\"failed\",618],[\"infrastructure\",52]]");
    JsonNode side = data(page(Reports.replay())).at("/rows/6/differences/1");
    assertThat(side.get("recorded").textValue()).isEqualTo("DataFrame 3 x 2");
    assertThat(side.get("replayed")).isNull();
  }

  @Test
  void policy_letsTheOneScriptRunAndNothingElse() throws Exception {
    String page = page(Reports.replay());
    Matcher policy =
        Pattern.compile("http-equiv=\"Content-Security-Policy\" content=\"([^\"]*)\"")
            .matcher(page);
    assertThat(policy.find()).isTrue();
    String script = page.substring(page.lastIndexOf("<script>") + 8, page.lastIndexOf("</script>"));
    String hash =
        Base64.getEncoder()
            .encodeToString(
                MessageDigest.getInstance("SHA-256")
                    .digest(script.getBytes(StandardCharsets.UTF_8)));
    assertThat(policy.group(1))
        .startsWith("default-src 'none'; ")
        .contains("script-src 'sha256-" + hash + "';")
        .contains("img-src data:;");
    assertThat(script)
        .startsWith("\"use strict\";")
        .doesNotContain("innerHTML")
        .doesNotContain("{{");
  }

  @Test
  void page_needsNothingBesideIt() throws IOException {
    for (ReportData report : List.of(Reports.evaluation(), Reports.replay())) {
      String page = page(report);
      for (String outside : List.of("http:", "https:", "//www", "@import", "url(", "{{")) {
        assertThat(find(page, outside)).as(outside).isEmpty();
      }
    }
  }

  @Test
  void sameData_isTheSameBytes() throws IOException {
    Path first = folder.resolve("first.html");
    Path second = folder.resolve("second.html");
    ReportPage.write(first, Reports.evaluation());
    ReportPage.write(second, Reports.evaluation());
    assertThat(Files.mismatch(first, second)).isEqualTo(-1);
  }

  @Test
  void data_thatLooksLikeAPlaceOfThePage_isLeftAlone() throws IOException {
    ReportData report =
        new ReportData(
            ReportData.Kind.REPLAY,
            "{{script}} $1 \\0",
            0,
            0,
            Map.of(),
            List.of(),
            Map.of(),
            List.of(),
            List.of());
    assertThat(data(page(report)).get("title").textValue()).isEqualTo("{{script}} $1 \\0");
  }

  @Test
  void file_isReplacedAsAWhole_throughALinkToo() throws IOException {
    Path file = Files.writeString(folder.resolve("report.html"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link.html"), file);
    ReportPage.write(link, Reports.replay());
    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(file)).startsWith("<!DOCTYPE html>").endsWith("</html>\n");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(file, link);
    }
  }

  @Test
  void whatIsNoRegularFile_isWrittenInto() throws IOException {
    Path device = Path.of("/dev/null");
    ReportPage.write(device, Reports.replay());
    assertThat(Files.isRegularFile(device)).isFalse();
  }

  @Test
  void missingFolder_isAnError() {
    assertThatThrownBy(() -> ReportPage.write(folder.resolve("no/report.html"), Reports.replay()))
        .isInstanceOf(NoSuchFileException.class);
  }

  private String page(ReportData report) throws IOException {
    Path file = folder.resolve("page.html");
    ReportPage.write(file, report);
    return Files.readString(file);
  }

  private static JsonNode data(String page) throws IOException {
    String start = "<script type=\"application/json\" id=\"data\">";
    int from = page.indexOf(start) + start.length();
    return JsonMapper.builder().build().readTree(page.substring(from, page.indexOf("</script>")));
  }

  private static List<Integer> find(String page, String text) {
    List<Integer> places = new ArrayList<>();
    for (int at = page.indexOf(text); at >= 0; at = page.indexOf(text, at + 1)) {
      places.add(at);
    }
    return places;
  }
}
