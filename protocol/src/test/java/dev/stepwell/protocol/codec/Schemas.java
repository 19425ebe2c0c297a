package dev.stepwell.protocol.codec;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The JSON Schema files that ship with the protocol; thread-safe. */
final class Schemas {
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  private static final Map<String, Schema> SCHEMAS = new ConcurrentHashMap<>();

  private Schemas() {}

  /** What a message has against its schema. */
  static List<String> errors(String schema, byte[] message) {
    return errors(schema, new String(message, StandardCharsets.UTF_8));
  }

  static List<String> errors(String schema, String message) {
    return SCHEMAS
        .computeIfAbsent(schema, Schemas::load)
        .validate(message, InputFormat.JSON)
        .stream()
        .map(Object::toString)
        .toList();
  }

  private static Schema load(String name) {
    return REGISTRY.getSchema(Golden.text("/dev/stepwell/protocol/schema/" + name + ".json"));
  }
}
