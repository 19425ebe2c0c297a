package dev.stepwell.cli.log;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** Makes one line; used once, by one thread. */
final class LineWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);

  LineWriter(LineType type) {
    ascii("{\"type\":");
    quoted(type.text());
  }

  LineWriter number(String name, long value) {
    return field(name).ascii(Long.toString(value));
  }

  LineWriter text(String name, String value) {
    return field(name).quoted(value);
  }

  LineWriter texts(String name, List<String> values) {
    field(name).ascii("[");
    for (int i = 0; i < values.size(); i++) {
      ascii(i == 0 ? "" : ",").quoted(values.get(i));
    }
    return ascii("]");
  }

  LineWriter base64(String name, byte[] value) {
    field(name).ascii("\"");
    bytes.writeBytes(Base64.getEncoder().encode(value));
    return ascii("\"");
  }

  /** A value that is JSON already, on one line. */
  LineWriter json(String name, byte[] value) {
    field(name);
    bytes.writeBytes(value);
    return this;
  }

  LineWriter json(String name, String value) {
    return json(name, value.getBytes(StandardCharsets.UTF_8));
  }

  /** The line with its line feed. */
  byte[] line() {
    ascii("}\n");
    return bytes.toByteArray();
  }

  private LineWriter field(String name) {
    return ascii(",").quoted(name).ascii(":");
  }

  private LineWriter quoted(String text) {
    ascii("\"");
    // Half a surrogate pair has no UTF-8, and must not stop a log.
    String sound = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    bytes.writeBytes(JsonStringEncoder.getInstance().quoteAsUTF8(sound));
    return ascii("\"");
  }

  private LineWriter ascii(String text) {
    bytes.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    return this;
  }
}
