package dev.stepwell.worker.archive;

import dev.stepwell.worker.archive.MarshalReader.MarshalException;
import dev.stepwell.worker.archive.StateContents.Item;
import dev.stepwell.worker.archive.TableReader.Component;
import dev.stepwell.worker.archive.TableReader.Table;
import dev.stepwell.worker.snapshot.SessionVariables;
import dev.stepwell.worker.state.Pieces;
import dev.stepwell.worker.state.SnapshotException;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells what a session's variables are, each by a digest that depends on nothing but their content.
 * Used by one thread, for one snapshot.
 */
final class ContentsReader {
  /** How many references between components are followed; more are forged. */
  private static final int MAX_FOLLOWED = 5_000_000;

  private final Table table;
  private final SpanReader spans;
  private final Map<String, BigInteger> homes = new HashMap<>();
  private final Map<BigInteger, Own> known = new HashMap<>();
  private int followedLeft = MAX_FOLLOWED;

  /** What a component is by itself; immutable. */
  private record Own(String digest, long bytes, @Nullable String kind) {}

  private ContentsReader(Table table, SpanReader spans) {
    this.table = table;
    this.spans = spans;
    table
        .components()
        .forEach((number, each) -> each.keys().forEach(key -> homes.put(key, number)));
  }

  /**
   * Tells them, with settings put into a map by name.
   *
   * @throws MarshalException if the table is damaged or forged
   * @throws SnapshotException if a piece can't be had
   */
  static Map<String, Item> read(
      SessionVariables variables, Pieces pieces, Map<String, Item> settings)
      throws MarshalException, SnapshotException, InterruptedException {
    if (variables.body().length == 0) {
      return Map.of();
    }
    Table table = TableReader.read(variables.body(), variables.pieces().size());
    ContentsReader reader = new ContentsReader(table, new SpanReader(variables.pieces(), pieces));
    reader.settings(settings);
    return reader.variables();
  }

  private Map<String, Item> variables()
      throws MarshalException, SnapshotException, InterruptedException {
    Map<String, Item> found = new LinkedHashMap<>();
    for (Map.Entry<String, Plain> each : table.bindings().entrySet()) {
      found.put(each.getKey(), variable(each.getKey(), each.getValue()));
    }
    return found;
  }

  private Item variable(String name, Plain bound)
      throws MarshalException, SnapshotException, InterruptedException {
    Plain target = bound;
    if (bound instanceof Plain.Sequence alias) {
      // That two names have one plain value, and not two equal ones, is the interpreter's affair.
      Plain other =
          alias.items().size() == 1
              ? table.bindings().get(TableReader.text(alias.items().get(0)))
              : null;
      if (other == null) {
        throw new MarshalException("variable " + name + " is another name of none", null);
      }
      target = other;
    }
    if (target instanceof Plain.Tuple plain && plain.items().size() == 1) {
      Plain value = plain.items().get(0);
      return new Item(new Digest().add(value).hex(), PlainText.of(value));
    }
    if (target instanceof Plain.Whole number) {
      return shared(name, number.value());
    }
    throw new MarshalException("variable " + name + " is bound to nothing known", null);
  }

  /** A value of a component: which one of it, the whole of it, and what that refers to. */
  private Item shared(String name, BigInteger number)
      throws MarshalException, SnapshotException, InterruptedException {
    Component component = component(number);
    int index = component.names().indexOf(name);
    Digest digest = new Digest().add("component").add(index);
    Own own = own(number);
    digest.add(own.digest());
    addReached(component, digest);
    String kind = index == 0 ? own.kind() : null;
    String size = own.bytes() == 1 ? "1 byte" : own.bytes() + " bytes";
    return new Item(digest.hex(), kind == null ? size : kind + ", " + size);
  }

  private Component component(BigInteger number) throws MarshalException {
    Component component = table.components().get(number);
    if (component == null) {
      throw new MarshalException("there is no component " + number, null);
    }
    return component;
  }

  /** Adds the functions and classes that it refers to, and those that they do, by their keys. */
  private void addReached(Component from, Digest digest)
      throws MarshalException, SnapshotException, InterruptedException {
    Map<String, String> reached = new TreeMap<>();
    Deque<String> pending = new ArrayDeque<>(from.needs());
    while (!pending.isEmpty()) {
      String key = pending.pop();
      if (--followedLeft < 0) {
        throw new MarshalException("it has more than " + MAX_FOLLOWED + " references", null);
      }
      BigInteger home = homes.get(key);
      if (!reached.containsKey(key)) {
        reached.put(key, home == null ? "" : own(home).digest());
        pending.addAll(home == null ? List.of() : component(home).needs());
      }
    }
    reached.forEach((key, own) -> digest.add(key).add(own));
  }

  private Own own(BigInteger number)
      throws MarshalException, SnapshotException, InterruptedException {
    Own found = known.get(number);
    if (found == null) {
      Component component = component(number);
      Digest digest = new Digest();
      byte[] head = spans.addPickle(component.stream(), digest);
      long bytes = component.stream().length();
      for (Span buffer : component.buffers()) {
        spans.add(buffer, digest);
        bytes += buffer.length();
      }
      found = new Own(digest.hex(), bytes, PickleHead.kind(head));
      known.put(number, found);
    }
    return found;
  }

  private void settings(Map<String, Item> into)
      throws MarshalException, SnapshotException, InterruptedException {
    for (Map.Entry<String, Span> library : table.libraries().entrySet()) {
      Digest digest = new Digest();
      spans.addPickle(library.getValue(), digest);
      into.put(library.getKey(), new Item(digest.hex(), library.getValue().length() + " bytes"));
    }
    for (Map.Entry<String, String> patch : table.patches().entrySet()) {
      BigInteger home = homes.get(patch.getValue());
      Digest digest =
          new Digest().add(patch.getValue()).add(home == null ? "" : own(home).digest());
      into.put("patch " + patch.getKey(), new Item(digest.hex(), patch.getValue()));
    }
    InterpreterSettings.read(table.settings(), into);
    into.put("python", InterpreterSettings.item(table.python()));
  }
}
