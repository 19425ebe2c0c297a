package dev.stepwell.worker.archive;

import dev.stepwell.worker.archive.MarshalReader.MarshalException;
import dev.stepwell.worker.archive.StateContents.Item;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/** Tells the interpreter's settings of a table of variables. Stateless. */
final class InterpreterSettings {
  private static final String ENVIRONMENT = "environment ";

  private InterpreterSettings() {}

  static void read(Map<String, Plain> settings, Map<String, Item> into) throws MarshalException {
    for (Map.Entry<String, Plain> each : settings.entrySet()) {
      Plain value = each.getValue();
      switch (each.getKey()) {
        case "set" -> environment(TableReader.mapping(value), into);
        case "unset" -> {
          if (value instanceof Plain.Sequence names) {
            for (Plain name : names.items()) {
              into.put(ENVIRONMENT + TableReader.text(name), item(Plain.Constant.NONE));
            }
          }
        }
        default -> {
          if (!isNothing(value)) {
            into.put(each.getKey().replace('_', ' '), item(value));
          }
        }
      }
    }
  }

  /** Values may be secrets: only their length is told. */
  private static void environment(Map<String, Plain> variables, Map<String, Item> into)
      throws MarshalException {
    for (Map.Entry<String, Plain> each : variables.entrySet()) {
      int length = TableReader.text(each.getValue()).length();
      into.put(
          ENVIRONMENT + each.getKey(),
          new Item(new Digest().add(each.getValue()).hex(), length + " characters"));
    }
  }

  private static boolean isNothing(Plain value) {
    return value == Plain.Constant.NONE
        || value.equals(new Plain.Whole(BigInteger.ZERO))
        || value.equals(new Plain.Sequence(List.of()));
  }

  static Item item(Plain value) {
    return new Item(new Digest().add(value).hex(), PlainText.of(value));
  }
}
