package dev.stepwell.protocol.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.stepwell.protocol.Bytes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes the fields of one message; owned by the thread that encodes. */
final class FieldWriter {
  private final JsonGenerator json;
  private final Absent absent;

  FieldWriter(JsonGenerator json, Absent absent) {
    this.json = json;
    this.absent = absent;
  }

  void text(String name, @Nullable String value) throws IOException {
    if (value == null) {
      absent(name);
    } else {
      json.writeStringField(name, Surrogates.mended(value));
    }
  }

  void integer(String name, @Nullable Long value) throws IOException {
    if (value == null) {
      absent(name);
    } else {
      json.writeNumberField(name, value);
    }
  }

  void integer(String name, @Nullable Integer value) throws IOException {
    integer(name, value == null ? null : Long.valueOf(value));
  }

  void number(String name, @Nullable Double value) throws IOException {
    if (value == null) {
      absent(name);
    } else {
      json.writeNumberField(name, value);
    }
  }

  /** As Base64. */
  void bytes(String name, @Nullable Bytes value) throws IOException {
    if (value == null) {
      absent(name);
    } else {
      json.writeStringField(name, value.toBase64());
    }
  }

  void flag(String name, boolean value) throws IOException {
    json.writeBooleanField(name, value);
  }

  <T> void object(String name, @Nullable T value, Body<T> body) throws IOException {
    if (value == null) {
      absent(name);
      return;
    }
    json.writeObjectFieldStart(name);
    body.write(value, this);
    json.writeEndObject();
  }

  <T> void objects(String name, List<T> values, Body<T> body) throws IOException {
    json.writeArrayFieldStart(name);
    for (T value : values) {
      json.writeStartObject();
      body.write(value, this);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  void texts(String name, List<String> values) throws IOException {
    json.writeArrayFieldStart(name);
    for (String value : values) {
      json.writeString(Surrogates.mended(value));
    }
    json.writeEndArray();
  }

  /** In the order of the names, so that equal messages have equal bytes. */
  void textByName(String name, Map<String, String> values) throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, String> entry : new TreeMap<>(values).entrySet()) {
      text(Surrogates.mended(entry.getKey()), entry.getValue());
    }
    json.writeEndObject();
  }

  private void absent(String name) throws IOException {
    if (absent == Absent.WRITTEN) {
      json.writeNullField(name);
    }
  }

  /** What stands between an object's braces. */
  interface Body<T> {
    void write(T value, FieldWriter fields) throws IOException;
  }
}
