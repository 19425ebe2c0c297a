package dev.stepwell.cli.report;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes a report as one HTML page that needs nothing beside it: no network, no server, no fonts.
 *
 * <p>What a report shows was written by models and by the code they wrote. So the data is no part
 * of the page's markup: it is JSON that the page's one script reads and shows as text, and the
 * page's security policy lets no other script run and nothing be loaded.
 */
public final class ReportPage {
  /** In the order in which they make one script: each may use what is in those before it. */
  private static final List<String> SCRIPTS =
      List.of("text.js", "diff.js", "charts.js", "summary.js", "rows.js", "page.js");

  private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z]+)}}");

  private ReportPage() {}

  /**
   * Writes a page; the same data makes the same bytes. Where a regular file is there already, it is
   * replaced as a whole, so that a reader sees the old or the new one and never a part.
   *
   * @param file where to
   * @throws IOException if it can't be written: the folder must be there
   */
  public static void write(Path file, ReportData data) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      try (Writer out = open(file)) {
        write(out, data);
      }
      return;
    }
    Path target = Files.exists(file) ? file.toRealPath() : file;
    Path part = target.resolveSibling(target.getFileName() + ".part");
    try {
      try (Writer out = open(part)) {
        write(out, data);
      }
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      if (Files.exists(part, LinkOption.NOFOLLOW_LINKS)) {
        Files.delete(part);
      }
    }
  }

  private static Writer open(Path file) throws IOException {
    return new BufferedWriter(
        new OutputStreamWriter(Files.newOutputStream(file), StandardCharsets.UTF_8));
  }

  /** Fills the places of page.html one after the other: what is put in is never searched. */
  private static void write(Writer out, ReportData data) throws IOException {
    String page = resource("page.html");
    String script = script();
    Map<String, String> parts =
        Map.of("policy", policy(script), "style", resource("page.css"), "script", script);
    Matcher place = PLACE.matcher(page);
    int written = 0;
    while (place.find()) {
      out.append(page, written, place.start());
      if (place.group(1).equals("data")) {
        ReportJson.write(out, data);
      } else {
        out.append(parts.get(place.group(1)));
      }
      written = place.end();
    }
    out.append(page, written, page.length());
  }

  private static String script() {
    StringBuilder script = new StringBuilder();
    SCRIPTS.forEach(name -> script.append(resource(name)));
    return script.toString();
  }

  private static String policy(String script) {
    return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-"
        + Base64.getEncoder().encodeToString(sha256(script))
        + "'; img-src data:; base-uri 'none'; form-action 'none'";
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static String resource(String name) {
    try (InputStream in = ReportPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the report's " + name + " is missing from this build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
