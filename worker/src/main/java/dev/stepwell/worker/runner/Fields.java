package dev.stepwell.worker.runner;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The named values of a payload that came out of a sandbox; immutable. Unknown names are kept. */
final class Fields {
  private final Map<String, List<byte[]>> values;

  private Fields(Map<String, List<byte[]>> values) {
    this.values = values;
  }

  /** Reads a payload. */
  static Fields parse(byte[] payload) throws ChannelViolation {
    Map<String, List<byte[]>> values = new LinkedHashMap<>();
    int at = 0;
    while (at < payload.length) {
      int nameEnd = at + 1 + (payload[at] & 0xff);
      if (nameEnd + 4 > payload.length) {
        throw new ChannelViolation("a field's name reaches beyond its payload");
      }
      long end = nameEnd + 4 + Bytes.uint32(payload, nameEnd);
      if (end > payload.length) {
        throw new ChannelViolation("a field's value reaches beyond its payload");
      }
      String name = new String(payload, at + 1, nameEnd - at - 1, StandardCharsets.US_ASCII);
      byte[] value = Arrays.copyOfRange(payload, nameEnd + 4, (int) end);
      values.computeIfAbsent(name, unused -> new ArrayList<>()).add(value);
      at = (int) end;
    }
    return new Fields(values);
  }

  /** The value's bytes; null where there is none. */
  byte @Nullable [] bytes(String name) {
    List<byte[]> found = values.get(name);
    return found == null ? null : found.get(0);
  }

  /** The value as UTF-8, with U+FFFD for what is none; null where there is none. */
  @Nullable String text(String name) {
    byte[] value = bytes(name);
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  /** The value as text, or the given one where there is none. */
  String text(String name, String otherwise) {
    String value = text(name);
    return value == null ? otherwise : value;
  }

  /** Every value of a repeated name as text. */
  List<String> texts(String name) {
    return values.getOrDefault(name, List.of()).stream()
        .map(value -> new String(value, StandardCharsets.UTF_8))
        .toList();
  }

  /**
   * The value as a number.
   *
   * @throws ChannelViolation if it is none, or below 0
   */
  @Nullable Long number(String name) throws ChannelViolation {
    String text = text(name);
    if (text == null) {
      return null;
    }
    // 18 digits always fit.
    if (text.isEmpty() || text.length() > 18 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new ChannelViolation("the field " + name + " is no number");
    }
    return Long.valueOf(text);
  }

  /** The value as a number, or the given one where there is none. */
  long number(String name, long otherwise) throws ChannelViolation {
    Long value = number(name);
    return value == null ? otherwise : value;
  }

  /** The names that start with a prefix, without it, in their order. */
  List<String> namesAfter(String prefix) {
    return values.keySet().stream()
        .filter(name -> name.startsWith(prefix))
        .map(name -> name.substring(prefix.length()))
        .toList();
  }

  /** Collects the fields of a payload for a sandbox. Owned by one thread. */
  static final class Writer {
    private final ByteArrayOutputStream payload = new ByteArrayOutputStream();

    Writer add(String name, byte[] value) {
      byte[] key = name.getBytes(StandardCharsets.UTF_8);
      payload.write(key.length);
      payload.writeBytes(key);
      payload.writeBytes(Bytes.uint32(value.length));
      payload.writeBytes(value);
      return this;
    }

    Writer add(String name, String value) {
      return add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    Writer add(String name, long value) {
      return add(name, Long.toString(value));
    }

    byte[] payload() {
      return payload.toByteArray();
    }
  }
}
