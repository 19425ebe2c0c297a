package dev.stepwell.worker.runner;

import dev.stepwell.protocol.Value;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a step has shown so far. Owned by the thread that runs the step.
 *
 * <p>The step's process sends it, so its content is a claim: what can't be read is left out. How
 * much there is of it, the supervisor has checked: more is a violation.
 */
final class DisplayReport {
  /** The most that a step may show. */
  static final int MOST = 100;

  /** The most bytes that the forms of all displays may have. */
  static final int FORMS_BYTES = 4 << 20;

  /** The most bytes of all parts together: forms, texts, types, and what separates them. */
  static final int PARTS_BYTES = 6 << 20;

  /** The most bytes of one display's text, and of its type. */
  private static final int TEXT_BYTES = 64 << 10;

  private static final int FIRST = 2;
  private static final int LAST = 1;
  private static final String MIME = "mime.";

  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
  private final List<Value> displays = new ArrayList<>();
  private long partsBytes;
  private int formsBytesLeft = FORMS_BYTES;

  /** Takes a part of a display in: a byte of flags, and the next of its bytes. */
  void part(byte[] payload) throws ChannelViolation {
    partsBytes += payload.length;
    if (payload.length == 0 || partsBytes > PARTS_BYTES) {
      throw new ChannelViolation("a display of no part, or of more than a step may show");
    }
    if ((payload[0] & FIRST) != 0) {
      pending.reset();
    }
    pending.write(payload, 1, payload.length - 1);
    if ((payload[0] & LAST) != 0) {
      Value display = read(pending.toByteArray());
      if (display != null && displays.size() < MOST) {
        displays.add(display);
      }
      pending.reset();
    }
  }

  /** All that are whole, in their order. */
  List<Value> displays() {
    return List.copyOf(displays);
  }

  /** One display; null for what is none, which costs the step that forged it no more than that. */
  private @Nullable Value read(byte[] display) {
    Fields fields;
    try {
      fields = Fields.parse(display);
    } catch (ChannelViolation forged) {
      return null;
    }
    String text = fields.text("text");
    String type = fields.text("type");
    return text == null || type == null || !isShort(text) || !isShort(type)
        ? null
        : new Value(text, type, forms(fields));
  }

  private Map<String, String> forms(Fields fields) {
    Map<String, String> forms = new LinkedHashMap<>();
    for (String type : fields.namesAfter(MIME)) {
      String form = fields.text(MIME + type, "");
      int bytes = form.getBytes(StandardCharsets.UTF_8).length;
      if (bytes <= formsBytesLeft) {
        formsBytesLeft -= bytes;
        forms.put(type, form);
      }
    }
    return forms;
  }

  private static boolean isShort(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length <= TEXT_BYTES;
  }
}
