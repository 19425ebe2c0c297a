package dev.stepwell.protocol.codec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The golden messages, which clients in other languages test themselves with too. */
final class Golden {
  static final List<String> REQUESTS =
      List.of(
          "request-minimal",
          "request-session",
          "request-shell",
          "request-argv",
          "request-files",
          "request-view",
          "request-prelude",
          "request-fork",
          "request-locate",
          "request-history",
          "request-reset",
          "request-end",
          "request-put",
          "request-get",
          "request-list",
          "request-remove");
  static final List<String> RESULTS =
      List.of(
          "result-completed",
          "result-failed",
          "result-displays",
          "result-timed-out",
          "result-rejected",
          "result-infrastructure",
          "result-located",
          "result-history",
          "result-listed",
          "result-content");
  static final List<String> HEADS = List.of("head-new", "head-with-snapshot");
  static final List<String> CANCELS = List.of("cancel-session", "cancel-one-shot");

  private Golden() {}

  /** The bytes of a golden message, without the line break that ends its file. */
  static byte[] bytes(String name) {
    return text("/golden/" + name + ".json").stripTrailing().getBytes(StandardCharsets.UTF_8);
  }

  static String text(String resource) {
    try (InputStream stream = Golden.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalArgumentException("no resource " + resource);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
