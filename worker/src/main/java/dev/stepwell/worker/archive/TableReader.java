package dev.stepwell.worker.archive;

import dev.stepwell.worker.archive.MarshalReader.MarshalException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a runner wrote of a session's variables, as far as it says what they are. Nothing of
 * it is believed, and no pickle is opened. Stateless.
 */
final class TableReader {
  private static final byte[] MARK = "SWV1".getBytes(StandardCharsets.US_ASCII);

  private static final int NAMES = 0;
  private static final int KEYS = 1;
  private static final int NEEDS = 2;
  private static final int STREAM = 6;
  private static final int BUFFERS = 7;

  private TableReader() {}

  /**
   * What is pickled together; immutable.
   *
   * @param names one for each of the first values; null where the name is bound to something else
   * @param keys of the functions and classes in it that others may refer to
   * @param needs keys that it refers to
   * @param stream its pickle
   * @param buffers large parts of it
   */
  record Component(
      List<@Nullable String> names,
      List<String> keys,
      List<String> needs,
      Span stream,
      List<Span> buffers) {}

  /**
   * A table; immutable.
   *
   * @param bindings by name what it is bound to: a tuple of a value, a list of another name, or a
   *     component's number
   * @param components by number
   * @param libraries settings of libraries, by name
   * @param patches functions of the session in modules: their keys, by where they are
   * @param settings of the interpreter, by name
   * @param python which interpreter it was
   */
  record Table(
      Map<String, Plain> bindings,
      Map<BigInteger, Component> components,
      Map<String, Span> libraries,
      Map<String, String> patches,
      Map<String, Plain> settings,
      Plain python) {}

  /**
   * Reads a table.
   *
   * @param pieces how many pieces it may refer to
   * @throws MarshalException if it is none
   */
  static Table read(byte[] body, int pieces) throws MarshalException {
    for (int i = 0; i < MARK.length; i++) {
      if (body.length <= i || body[i] != MARK[i]) {
        throw new MarshalException("it is no table of variables, or one of another format", null);
      }
    }
    Map<String, Plain> table = mapping(MarshalReader.read(body, MARK.length));
    Map<BigInteger, Component> components = new LinkedHashMap<>();
    for (Plain.Entry each : entries(part(table, "components"))) {
      if (!(each.key() instanceof Plain.Whole number)) {
        throw new MarshalException("a component without a number", null);
      }
      components.put(number.value(), component(each.value(), pieces));
    }
    Map<String, Span> libraries = new LinkedHashMap<>();
    for (Map.Entry<String, Plain> each : mapping(part(table, "libraries")).entrySet()) {
      libraries.put(each.getKey(), Span.of(each.getValue(), pieces));
    }
    return new Table(
        mapping(part(table, "bindings")),
        components,
        libraries,
        patches(part(table, "patches")),
        settings(table),
        part(table, "python"));
  }

  private static Map<String, String> patches(Plain plain) throws MarshalException {
    Map<String, String> found = new LinkedHashMap<>();
    for (Map.Entry<String, Plain> module : mapping(plain).entrySet()) {
      for (Map.Entry<String, Plain> name : mapping(module.getValue()).entrySet()) {
        found.put(module.getKey() + "." + name.getKey(), text(name.getValue()));
      }
    }
    return found;
  }

  private static Map<String, Plain> settings(Map<String, Plain> table) throws MarshalException {
    Map<String, Plain> settings = new LinkedHashMap<>(mapping(part(table, "settings")));
    settings.put("future_flags", part(table, "future_flags"));
    return settings;
  }

  private static Component component(Plain plain, int pieces) throws MarshalException {
    List<Plain> parts = tuple(plain);
    if (parts.size() <= BUFFERS) {
      throw new MarshalException("a component of " + parts.size() + " parts", null);
    }
    List<@Nullable String> names = new ArrayList<>();
    for (Plain name : tuple(parts.get(NAMES))) {
      names.add(name == Plain.Constant.NONE ? null : text(name));
    }
    List<Span> buffers = new ArrayList<>();
    for (Plain buffer : tuple(parts.get(BUFFERS))) {
      buffers.add(Span.of(buffer, pieces));
    }
    return new Component(
        names,
        texts(parts.get(KEYS)),
        texts(parts.get(NEEDS)),
        Span.of(parts.get(STREAM), pieces),
        buffers);
  }

  private static Plain part(Map<String, Plain> table, String name) throws MarshalException {
    Plain found = table.get(name);
    if (found == null) {
      throw new MarshalException("it has no " + name, null);
    }
    return found;
  }

  static List<Plain> tuple(Plain plain) throws MarshalException {
    if (plain instanceof Plain.Tuple tuple) {
      return tuple.items();
    }
    throw unexpected("tuple", plain);
  }

  private static List<String> texts(Plain plain) throws MarshalException {
    List<String> found = new ArrayList<>();
    for (Plain each : tuple(plain)) {
      found.add(text(each));
    }
    return found;
  }

  static String text(Plain plain) throws MarshalException {
    if (plain instanceof Plain.Text text) {
      return text.text();
    }
    throw unexpected("str", plain);
  }

  static int integer(Plain plain) throws MarshalException {
    if (plain instanceof Plain.Whole whole && whole.value().bitLength() < Integer.SIZE) {
      return whole.value().intValueExact();
    }
    throw unexpected("int", plain);
  }

  static Map<String, Plain> mapping(Plain plain) throws MarshalException {
    Map<String, Plain> found = new LinkedHashMap<>();
    for (Plain.Entry each : entries(plain)) {
      found.put(text(each.key()), each.value());
    }
    return found;
  }

  private static List<Plain.Entry> entries(Plain plain) throws MarshalException {
    if (plain instanceof Plain.Mapping mapping) {
      return mapping.entries();
    }
    throw unexpected("dict", plain);
  }

  private static MarshalException unexpected(String wanted, Plain found) {
    return new MarshalException(
        "a %s where a %s is expected".formatted(found.getClass().getSimpleName(), wanted), null);
  }
}
