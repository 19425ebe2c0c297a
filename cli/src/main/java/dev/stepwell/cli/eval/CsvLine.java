package dev.stepwell.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Results as comma-separated values, RFC 4180: the fields of the JSON lines, in their order. */
final class CsvLine {
  private CsvLine() {}

  /** The names of the fields; ends with a line break. */
  static String header(ObjectNode line) {
    return line(names(line));
  }

  /** The values of the fields; ends with a line break. */
  static String of(ObjectNode line) {
    return line(StreamSupport.stream(line.spliterator(), false).map(CsvLine::text).toList());
  }

  /** One record. */
  static String line(List<String> fields) {
    return fields.stream().map(CsvLine::quoted).collect(Collectors.joining(",", "", "\r\n"));
  }

  private static List<String> names(ObjectNode line) {
    Iterable<String> names = line::fieldNames;
    return StreamSupport.stream(names.spliterator(), false).toList();
  }

  /** An object as {@code COMPLETED=2 FAILED=1}. */
  private static String text(JsonNode value) {
    if (!value.isObject()) {
      return value.isNull() ? "" : value.asText();
    }
    return value.properties().stream()
        .map(each -> each.getKey() + "=" + each.getValue().asText())
        .collect(Collectors.joining(" "));
  }

  private static String quoted(String field) {
    boolean plain = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
    return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
  }
}
