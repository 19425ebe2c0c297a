package dev.stepwell.protocol.codec;

import dev.stepwell.protocol.CancelRequest;
import java.io.IOException;

/** The JSON form of {@link CancelRequest}. */
final class CancelJson {
  private CancelJson() {}

  static void write(CancelRequest cancel, FieldWriter fields) throws IOException {
    fields.integer("version", CancelRequest.VERSION);
    fields.text("requestId", cancel.requestId());
    fields.text("sessionId", cancel.sessionId());
  }

  static CancelRequest read(FieldReader fields) {
    return new CancelRequest(fields.requiredText("requestId"), fields.text("sessionId"));
  }
}
