package dev.stepwell.worker.sandbox.enroot;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The programs of other languages that come with this package. Stateless. */
final class Scripts {
  private Scripts() {}

  static String read(String name) {
    try (InputStream in = Scripts.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the worker's archive lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the worker's archive can't be read", e);
    }
  }
}
