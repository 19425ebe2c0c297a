package dev.stepwell.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Opens reports full of hostile data in a real browser, and clicks through them. */
final class ReportPageIT {
  @TempDir static Path folder;
  private static Browser browser;
  private static Path evaluation;
  private static Path replay;
  private static int width;

  @BeforeAll
  static void writePages() throws IOException {
    evaluation = folder.resolve("evaluation.html");
    replay = folder.resolve("replay #1.html");
    ReportPage.write(evaluation, Reports.evaluation());
    ReportPage.write(replay, Reports.replay());
    browser = new Browser(Files.createDirectory(folder.resolve("browser")));
  }

  @AfterAll
  static void closeBrowser() {
    if (browser != null) {
      browser.close();
    }
  }

  /** Whatever a test did: nothing of the data ran, nothing was refused, nothing sticks out. */
  @AfterEach
  void pageIsInOrder() {
    assertThat(browser.console()).isEmpty();
    assertThat(browser.is("return window.pwned === undefined")).isTrue();
    assertThat(browser.all("img, iframe, object, a[href]:not(.skip)")).isEmpty();
    assertThat(browser.all("script")).hasSize(2);
    assertNothingSticksOut();
  }

  /** A phone makes its window as wide as the page, so that what must fit is the width it has. */
  private static void assertNothingSticksOut() {
    assertThat(browser.is("return document.documentElement.scrollWidth <= arguments[0]", width))
        .as("the page scrolls sideways")
        .isTrue();
    assertThat(
            browser.strings(
                """
                return [...document.querySelectorAll("body *")]
                    .filter(one => !one.closest(".scroll, .hidden, .skip, script, thead"))
                    .filter(one => one.getBoundingClientRect().right > arguments[0] + 0.5)
                    .map(one => one.tagName + "." + one.className)
                """,
                width))
        .as("elements beyond the window's edge")
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1280, 800, light", "390, 844, light", "390, 844, dark", "360, 640, light"})
  void evaluation_showsWhatItWas(int width, int height, String scheme) throws IOException {
    open(evaluation, width, height, scheme);
    assertThat(browser.one("h1").getText()).isEqualTo("HumanEval.jsonl " + Reports.HOSTILE);
    assertThat(browser.one("#when").getText())
        .isEqualTo("2026-09-21 14:13:20 UTC \u00b7 took 2 min 5 s \u00b7 5,000 tasks");
    assertThat(browser.texts("#summary .chip strong")).containsExactly("4,330", "618", "52");
    assertThat(browser.texts(".notes li").get(1))
        .contains("onerror=\"window.pwned=1\"")
        .contains("\u27e8ESC\u27e9[31mred")
        .contains("\u27e8NUL\u27e9nul \u27e8U+202E\u27e9esrever\u27e8U+202C\u27e9")
        .contains("\u27e8U+D83D\u27e9 half, whole \ud83d\ude00");
    assertThat(browser.texts(".facts dd")).startsWith("0.873", "0.941");
    assertThat(browser.texts("figcaption"))
        .containsExactly("Latency and queueing over time", "Throughput over time");
    browser.picture("evaluation-top-%d-%s".formatted(width, scheme));
  }

  @ParameterizedTest
  @CsvSource({"1280, 800", "390, 844"})
  void rows_areFilteredSearchedAndOrdered(int width, int height) throws IOException {
    open(evaluation, width, height, "light");
    assertThat(browser.all(".row")).hasSize(100);
    browser.click(browser.one("#more"));
    assertThat(browser.all(".row")).hasSize(200);
    assertThat(browser.one("#more").getText()).isEqualTo("Show 100 more (4,800 left)");

    browser.click(chip("Status", "failed"));
    assertFound("618 of 5,000 rows");
    assertThat(browser.texts(".row .badge")).hasSize(100).allMatch(text -> text.endsWith("failed"));
    browser.picture("evaluation-failed-%d".formatted(width));

    browser.one("#search").sendKeys("== 4011");
    assertFound("1 of 5,000 rows");
    assertThat(browser.texts(".row .open")).containsExactly("HumanEval/2005#1");
    browser.reload();
    assertFound("1 of 5,000 rows");
    assertThat(browser.one("#search").getDomProperty("value")).isEqualTo("== 4011");
    assertThat(chip("Status", "failed").getDomAttribute("aria-pressed")).isEqualTo("true");

    browser.click(browser.one("#clear"));
    assertFound("5,000 rows");
    choose("latency");
    assertThat(browser.texts(".row .open").get(0)).startsWith("HumanEval/1#1</script><img");
    choose("id");
    assertThat(browser.texts(".row .open"))
        .startsWith("HumanEval/0#0", "HumanEval/0#1", "HumanEval/1#0")
        .contains("HumanEval/9#0", "HumanEval/10#0");
    choose("queue");
    assertThat(browser.texts(".row .open").get(0)).startsWith("HumanEval/1#1</script><img");
    browser.one("#search").sendKeys("nothing has this");
    assertFound("0 of 5,000 rows");
    assertThat(browser.one("#nothing").isDisplayed()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"1280, 800, light", "390, 844, dark"})
  void slowest_leadsToItsRow_hostileOrNot(int width, int height, String scheme) throws IOException {
    open(evaluation, width, height, scheme);
    browser.click(chip("Status", "passed"));
    browser.click(browser.all("#lists .card:last-child .jump").get(0));
    assertFound("5,000 rows");
    WebElement details = browser.one("#details-3");
    assertThat(details.getText())
        .contains("3 requests sent")
        .contains("9.88 s from publication to result")
        .contains("onerror=\"window.pwned=1\"")
        .contains("\u27e8ESC\u27e9[31mred");
    assertThat(
            browser.is("return document.activeElement === document.querySelector('#row-3 .open')"))
        .isTrue();
    assertThat(
            browser.is(
                "const box = document.getElementById('row-3').getBoundingClientRect();"
                    + "return box.top >= 0 && box.bottom <= innerHeight"))
        .as("the row is on the screen")
        .isTrue();
    browser.click(browser.one("#details-3 .text button"));
    assertThat(
            browser.is(
                "return document.querySelector('#details-3 section:last-child pre').textContent.length > 1000000"))
        .isTrue();
    browser.picture("evaluation-hostile-%d-%s".formatted(width, scheme));
  }

  @Test
  void rowFarBelow_isShownWithThoseAroundIt() {
    open(evaluation, 1280, 800, "light");
    browser.click(browser.one("#lists .card:last-child li:nth-child(5) .jump"));
    assertThat(browser.texts(".row .open"))
        .hasSize(100)
        .startsWith("HumanEval/2000#0")
        .contains("HumanEval/2012#1");
    assertThat(browser.one("#row-4025 .open").getDomAttribute("aria-expanded")).isEqualTo("true");
    browser.click(browser.one("#earlier"));
    assertThat(browser.texts(".row .open")).hasSize(200).startsWith("HumanEval/1950#0");
    assertThat(browser.one("#earlier").getText()).isEqualTo("Show 100 earlier (3,900 left)");
    assertThat(browser.one("#details-4025").isDisplayed()).isTrue();
  }

  @Test
  void flakiest_areTasksOfMixedSamples() {
    open(evaluation, 1280, 800, "light");
    assertThat(browser.texts("#lists .card:first-child li").get(0))
        .contains("HumanEval/5")
        .contains("1 passed, 1 failed");
    browser.click(browser.all("#lists .card:first-child .jump").get(0));
    assertThat(browser.one("#row-11 .open").getDomAttribute("aria-expanded")).isEqualTo("true");
  }

  @ParameterizedTest
  @CsvSource({"1280, 800, light", "1280, 800, dark", "390, 844, light", "390, 844, dark"})
  void replay_showsDifferencesSideBySide(int width, int height, String scheme) throws IOException {
    open(replay, width, height, scheme);
    browser.picture("replay-top-%d-%s".formatted(width, scheme));
    assertThat(browser.texts("#summary .chip strong")).containsExactly("344", "41", "7", "8");
    assertThat(browser.texts("figcaption")).contains("Latency, total");
    browser.click(chip("Differs in", "STDOUT"));
    assertFound("10 of 400 rows");
    browser.click(browser.one("#row-5 .open"));
    assertThat(browser.texts("#details-5 .left .content"))
        .containsExactly("count 3", "mean 2.0", "std 1.0", "line 4", "line 5");
    assertThat(browser.texts("#details-5 del")).containsExactly("0");
    assertThat(browser.texts("#details-5 ins")).containsExactly("5");
    WebElement left = browser.one("#details-5 .left.changed");
    WebElement right = browser.one("#details-5 .right.changed");
    boolean phone = width < 600;
    assertThat(right.getLocation().y > left.getLocation().y).as("under").isEqualTo(phone);
    assertThat(right.getLocation().x > left.getLocation().x).as("beside").isEqualTo(!phone);
    browser.picture("replay-difference-%d-%s".formatted(width, scheme));
    browser.click(browser.one("#details-5 .fold"));
    assertThat(browser.texts("#details-5 .left .content")).hasSize(12).endsWith("line 12");
  }

  @ParameterizedTest
  @CsvSource({"1280, 800", "390, 844"})
  void differences_ofLongAndHostileTexts_areReadable(int width, int height) throws IOException {
    open(replay, width, height, "light");
    browser.click(chip("Differs in", "STDERR"));
    browser.click(browser.one("#row-17 .open"));
    assertThat(browser.one("#details-17 .difference").getText())
        .contains("characters \u2026")
        .hasSizeLessThan(10_000);
    browser.picture("replay-long-%d".formatted(width));
    browser.click(chip("Differs in", "STDERR"));
    browser.click(chip("Differs in", "EXCEPTION"));
    browser.click(browser.one("#row-28 .open"));
    assertThat(browser.one("#details-28 .difference").getText())
        .contains("window.pwned=2")
        .contains("\u27e8ESC\u27e9[31m");
    browser.click(chip("Differs in", "EXCEPTION"));
    browser.click(chip("Differs in", "STATE"));
    browser.click(browser.one("#row-6 .open"));
    assertThat(browser.texts("#details-6 h4")).contains("STATE variable df");
    browser.picture("replay-state-%d".formatted(width));
  }

  @Test
  void difference_ofVeryManyLines_isShownInParts() {
    open(replay, 1280, 800, "light");
    browser.click(chip("Differs in", "ARTIFACT"));
    browser.click(browser.one("#row-%d .open".formatted(Reports.MANY_LINES)));
    assertThat(browser.all(".lines .pair")).hasSize(1000);
    assertThat(browser.one(".fold").getText()).isEqualTo("\u2026 199,001 lines more");
    browser.click(browser.one(".fold"));
    assertThat(browser.all(".lines .pair")).hasSize(2000);
    assertThat(browser.one(".fold").getText()).isEqualTo("\u2026 198,001 lines more");
  }

  @ParameterizedTest
  @CsvSource({"EVALUATION", "REPLAY"})
  void reportOfNothing_isAPageToo(ReportData.Kind kind) throws IOException {
    Path empty = folder.resolve(kind + ".html");
    ReportPage.write(
        empty,
        new ReportData(
            kind, "", 0, 0, Map.of(), List.of(), Map.of(), List.of(), List.of(), List.of()));
    open(empty, 390, 844, "light");
    assertThat(browser.one("#nothing").isDisplayed()).isTrue();
    assertThat(browser.one("#charts").isDisplayed()).isFalse();
    assertThat(browser.texts("#found")).containsExactly("0 rows");
  }

  @Test
  void link_keepsFilterOrderAndRow() {
    open(replay, 1280, 800, "light");
    browser.click(chip("Status", "different"));
    browser.click(chip("Differs in", "VALUE"));
    choose("id");
    browser.click(browser.one("#row-46 .open"));
    String link = browser.address();
    browser.open(replay, link.substring(link.indexOf('#')));
    assertFound("10 of 400 rows");
    assertThat(browser.one("#order").getDomProperty("value")).isEqualTo("id");
    assertThat(browser.one("#row-46 .open").getDomAttribute("aria-expanded")).isEqualTo("true");
    browser.open(replay, "#status=<img src=x onerror=pwned=1>&sort=toString&row=999999&type=%FF");
    assertFound("400 rows");
  }

  @Test
  void keyboard_isEnough() {
    open(replay, 1280, 800, "light");
    chip("Differs in", "VALUE").sendKeys(Keys.SPACE);
    assertFound("10 of 400 rows");
    browser.one("#row-6 .open").sendKeys(Keys.ENTER);
    assertThat(browser.one("#details-6").isDisplayed()).isTrue();
    WebElement chart = browser.one("svg.chart");
    chart.sendKeys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT);
    assertThat(browser.texts(".readout").get(0))
        .startsWith("0:01\u20130:02: 9 results, latency p90 ")
        .contains("queueing p50 ");
    browser.all("svg.chart").get(2).sendKeys(Keys.END);
    assertThat(browser.texts(".readout").get(2)).startsWith("max: recorded ").contains("\u00d7 ");
    browser.one(".numbers summary").sendKeys(Keys.ENTER);
    assertThat(browser.texts(".numbers[open] tbody tr")).hasSizeGreaterThan(30);
  }

  @ParameterizedTest
  @CsvSource({"1280, 800", "390, 844"})
  void chart_readsTheNumbersAtTheMouseOrTheFinger(int width, int height) {
    open(replay, width, height, "light");
    WebElement chart = browser.one("svg.chart");
    String hint = browser.texts(".readout").get(0);

    if (width < 600) {
      browser.tap(chart, 0.6);
    } else {
      browser.hover(chart, 0.6);
    }
    String inTheMiddle = browser.texts(".readout").get(0);
    browser.tap(chart, 0.999);

    assertThat(inTheMiddle).isNotEqualTo(hint).contains(" results, latency p90 ");
    browser.one(".numbers summary").click();
    List<String> rows = browser.texts(".numbers[open] tbody tr");
    String last = rows.get(rows.size() - 1).split("\\s", 2)[0];
    assertThat(browser.texts(".readout").get(0)).startsWith(last).isNotEqualTo(inTheMiddle);
    assertThat(browser.all("svg.chart .cursor")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"light", "dark"})
  void texts_haveContrast(String scheme) {
    open(replay, 1280, 800, scheme);
    browser.click(browser.one("#row-5 .open"));
    browser.click(browser.one("#row-6 .open"));
    List<String> poor = browser.strings(Contrast.SCRIPT);
    assertThat(poor).as("texts with a contrast below 4.5 to 1").isEmpty();
    assertThat(browser.texts("del, ins")).isNotEmpty();
  }

  private static void open(Path page, int windowWidth, int windowHeight, String scheme) {
    width = windowWidth;
    browser.size(windowWidth, windowHeight);
    browser.scheme(scheme);
    browser.open(page, "");
  }

  private static WebElement chip(String label, String value) {
    return browser.one(
        ".controls [aria-label='%s'] .chip[data-value='%s']".formatted(label, value));
  }

  private static void choose(String order) {
    browser.click(browser.one("#order option[value='" + order + "']"));
  }

  /** The search waits a moment for more letters. */
  private static void assertFound(String words) {
    await().untilAsserted(() -> assertThat(browser.one("#found").getText()).isEqualTo(words));
  }
}
