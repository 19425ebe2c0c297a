package dev.stepwell.cli.compare;

import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Value;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares the last expression's value and what the step showed. Stateless. */
final class ValueComparison {
  private ValueComparison() {}

  static void compare(ExecutionResult recorded, ExecutionResult replayed, Findings findings) {
    if (findings.rules().ignores(Part.VALUE)) {
      return;
    }
    value("value", recorded.value(), replayed.value(), findings);
    List<Value> before = recorded.displays();
    List<Value> now = replayed.displays();
    for (int i = 0; i < Math.max(before.size(), now.size()); i++) {
      value(
          "display " + (i + 1),
          i < before.size() ? before.get(i) : null,
          i < now.size() ? now.get(i) : null,
          findings);
    }
  }

  private static void value(
      String what, @Nullable Value recorded, @Nullable Value replayed, Findings findings) {
    if (recorded == null || replayed == null) {
      if (recorded != replayed) {
        findings.add(Difference.Type.VALUE, what, shown(recorded), shown(replayed));
      }
      return;
    }
    findings.texts(Difference.Type.VALUE, what, Part.VALUE, recorded.text(), replayed.text());
    findings.exact(Difference.Type.VALUE, what + ", type", recorded.type(), replayed.type());
    Set<String> mediaTypes = new TreeSet<>(recorded.mime().keySet());
    mediaTypes.addAll(replayed.mime().keySet());
    for (String mediaType : mediaTypes) {
      if (!findings.rules().ignoresMedia(mediaType)) {
        findings.texts(
            Difference.Type.VALUE,
            what + ", " + mediaType,
            Part.VALUE,
            form(mediaType, recorded.mime().get(mediaType)),
            form(mediaType, replayed.mime().get(mediaType)));
      }
    }
  }

  private static @Nullable String shown(@Nullable Value value) {
    if (value == null) {
      return null;
    }
    return value.text().isEmpty() ? String.join(", ", value.mime().keySet()) : value.text();
  }

  /** Text as it is, anything binary by its hash. */
  private static @Nullable String form(String mediaType, @Nullable String content) {
    if (content == null || isText(mediaType)) {
      return content;
    }
    byte[] bytes;
    try {
      bytes = Base64.getMimeDecoder().decode(content);
    } catch (IllegalArgumentException e) {
      bytes = content.getBytes(StandardCharsets.UTF_8);
    }
    return Contents.hashed(bytes);
  }

  private static boolean isText(String mediaType) {
    return mediaType.startsWith("text/")
        || mediaType.endsWith("+xml")
        || mediaType.endsWith("json")
        || mediaType.equals("application/javascript");
  }
}
