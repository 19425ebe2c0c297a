package dev.stepwell.cli.report;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Interaction;
import org.openqa.selenium.interactions.PointerInput;
import org.openqa.selenium.interactions.Sequence;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A real Chromium without a window. Used by the test's thread alone. */
final class Browser implements AutoCloseable {
  /** Says at each start that it has no typed commands for so new a browser; they aren't used. */
  private static final Logger TYPED_COMMANDS =
      Logger.getLogger("org.openqa.selenium.devtools.CdpVersionFinder");

  private final ChromeDriver driver;

  /**
   * Starts one.
   *
   * @param scratch for what it leaves behind when it ends
   */
  Browser(Path scratch) {
    TYPED_COMMANDS.setLevel(Level.SEVERE);
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(program("CHROMIUM", "chromium", "chromium-browser", "google-chrome"));
    options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage");
    options.addArguments("--disable-gpu", "--hide-scrollbars", "--window-size=1280,800");
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(program("CHROMEDRIVER", "chromedriver"))
            .usingAnyFreePort()
            .withEnvironment(Map.of("TMPDIR", scratch.toString()))
            .withSilent(true)
            .build();
    driver = new ChromeDriver(service, options);
  }

  private static File program(String variable, String... names) {
    String named = System.getenv(variable);
    if (named != null && !named.isEmpty()) {
      return new File(named);
    }
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    return Arrays.stream(names)
        .flatMap(
            name -> Arrays.stream(path.split(File.pathSeparator)).map(in -> new File(in, name)))
        .filter(File::canExecute)
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    "no %s on PATH: set %s to one, or let bin/setup-tool browser install it"
                        .formatted(String.join(" or ", names), variable)));
  }

  /** What the page sees as its window, in CSS pixels; a phone has a viewport of its own, too. */
  void size(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
  }

  /** {@code light} or {@code dark}. */
  void scheme(String scheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  void open(Path file, String fragment) {
    driver.get("about:blank");
    driver.get(file.toUri() + fragment);
  }

  void reload() {
    driver.navigate().refresh();
  }

  String address() {
    return Objects.requireNonNull(driver.getCurrentUrl());
  }

  List<WebElement> all(String selector) {
    return driver.findElements(By.cssSelector(selector));
  }

  WebElement one(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  /** The texts of all elements, as the page shows them. */
  List<String> texts(String selector) {
    return strings(
        "return [...document.querySelectorAll(arguments[0])].map(one => one.innerText)", selector);
  }

  @SuppressWarnings("unchecked")
  List<String> strings(String script, Object... arguments) {
    return (List<String>) run(script, arguments);
  }

  boolean is(String script, Object... arguments) {
    return (Boolean) run(script, arguments);
  }

  private Object run(String script, Object... arguments) {
    return Objects.requireNonNull(driver.executeScript(script, arguments), script);
  }

  /** Clicks as a finger or a mouse does: where the element is, once it is on the screen. */
  void click(WebElement element) {
    driver.executeScript("arguments[0].scrollIntoView({block: 'center'})", element);
    element.click();
  }

  /** Moves a mouse over an element, so far from its left edge as a part of its width says. */
  void hover(WebElement element, double part) {
    PointerInput mouse = new PointerInput(PointerInput.Kind.MOUSE, "mouse");
    driver.perform(List.of(new Sequence(mouse, 0).addAction(to(mouse, element, part))));
  }

  /** Touches an element with a finger, as {@link #hover} does with a mouse. */
  void tap(WebElement element, double part) {
    PointerInput finger = new PointerInput(PointerInput.Kind.TOUCH, "finger");
    driver.perform(
        List.of(
            new Sequence(finger, 0)
                .addAction(to(finger, element, part))
                .addAction(finger.createPointerDown(0))
                .addAction(finger.createPointerUp(0))));
  }

  private Interaction to(PointerInput pointer, WebElement element, double part) {
    driver.executeScript("arguments[0].scrollIntoView({block: 'center'})", element);
    int fromMiddle = (int) ((part - 0.5) * element.getSize().getWidth());
    return pointer.createPointerMove(
        Duration.ZERO, PointerInput.Origin.fromElement(element), fromMiddle, 0);
  }

  /** What the page and the browser wrote to the console. */
  List<String> console() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(LogEntry::toString)
        .toList();
  }

  /** Keeps what is on the screen as a picture. */
  void picture(String name) throws IOException {
    Path folder = Files.createDirectories(Path.of("target", "report-screens"));
    Object picture =
        driver.executeCdpCommand("Page.captureScreenshot", Map.of("format", "png")).get("data");
    Files.write(
        folder.resolve(name + ".png"),
        Base64.getDecoder().decode((String) Objects.requireNonNull(picture)));
  }

  @Override
  public void close() {
    driver.quit();
  }
}
