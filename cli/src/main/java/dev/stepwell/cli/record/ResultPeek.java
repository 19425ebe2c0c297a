package dev.stepwell.cli.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What of a result tells whose it is, without reading the rest; immutable.
 *
 * @param requestId null where the message doesn't say
 * @param sessionId null for a one-shot
 * @param step null where there is none
 */
record ResultPeek(@Nullable String requestId, @Nullable String sessionId, @Nullable Long step) {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .build();

  static ResultPeek at(byte[] message) {
    String requestId = null;
    String sessionId = null;
    Long step = null;
    try (JsonParser parser = FACTORY.createParser(message)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return new ResultPeek(null, null, null);
      }
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        JsonToken value = parser.nextToken();
        if (value == JsonToken.VALUE_STRING && name.equals("requestId")) {
          requestId = parser.getText();
        } else if (value == JsonToken.VALUE_STRING && name.equals("sessionId")) {
          sessionId = parser.getText();
        } else if (value == JsonToken.VALUE_NUMBER_INT && name.equals("step")) {
          step = parser.getLongValue();
        } else {
          parser.skipChildren();
        }
      }
    } catch (IOException e) {
      // What came before the fault counts.
      return new ResultPeek(requestId, sessionId, step);
    }
    return new ResultPeek(requestId, sessionId, step);
  }
}
