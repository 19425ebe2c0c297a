package dev.stepwell.protocol.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whom to answer about bytes that are no acceptable request; immutable. Each part is null where the
 * bytes don't tell, or tell something that no request may hold.
 *
 * @param requestId the request's id
 * @param sessionId the request's session
 * @param replyTo the topic that the request wants its result in
 */
public record RequestSalvage(
    @Nullable String requestId, @Nullable String sessionId, @Nullable String replyTo) {
  /** The longest of the three fields has 249 characters, each an escape of 6 at most. */
  private static final int MAX_ESCAPED_LENGTH = 6 * 249;

  /** Deeper than in a message, so that nesting alone hides nobody's id. */
  private static final int MAX_DEPTH = 1000;

  private static final int MAX_NAME_LENGTH = 4096;

  private static final Pattern ID = Pattern.compile("[\\x21-\\x7e]{1,128}");
  private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}");

  /** Lenient where leniency costs nothing: a reader of ids need not object to a raw line break. */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNameLength(MAX_NAME_LENGTH)
                  .maxStringLength(MAX_ESCAPED_LENGTH)
                  .build())
          .build();

  private static final RequestSalvage NOTHING = new RequestSalvage(null, null, null);

  /**
   * What can be made out of a message, up to the place where it stops being JSON. Reads the bytes
   * once and keeps nothing of them but the three fields, however large the message is. Of a field
   * that is there twice the first acceptable one counts.
   *
   * @param message any bytes
   */
  public static RequestSalvage from(byte[] message) {
    Found found = new Found(message);
    // Latin-1 gives every byte a character, so text that is no UTF-8 stops nobody; JSON's own
    // characters and the ids are ASCII.
    try (InputStreamReader characters =
            new InputStreamReader(new ByteArrayInputStream(message), StandardCharsets.ISO_8859_1);
        JsonParser parser = FACTORY.createParser(characters)) {
      found.readFrom(parser);
    } catch (IOException e) {
      // The message ends here for us; what was found before counts.
      return found.salvage();
    }
    return found.salvage();
  }

  /** Whether not even the request's id could be made out, so that nobody can be answered. */
  public boolean unanswerable() {
    return requestId == null;
  }

  /** The fields found so far; owned by the thread that reads. */
  private static final class Found {
    private final byte[] message;
    private @Nullable String requestId;
    private @Nullable String sessionId;
    private @Nullable String replyTo;

    Found(byte[] message) {
      this.message = message;
    }

    void readFrom(JsonParser parser) throws IOException {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return;
      }
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        JsonToken value = parser.nextToken();
        if (value == JsonToken.VALUE_STRING
            && endsSoon(parser.currentTokenLocation().getCharOffset())) {
          keep(name, parser);
        } else {
          parser.skipChildren();
        }
      }
    }

    private void keep(String name, JsonParser parser) throws IOException {
      switch (name) {
        case "requestId" -> requestId = first(requestId, parser.getText(), ID);
        case "sessionId" -> sessionId = first(sessionId, parser.getText(), ID);
        case "replyTo" -> replyTo = first(replyTo, parser.getText(), TOPIC);
        default -> parser.skipChildren();
      }
    }

    /** Whether the string that opens at an offset is short enough to be read at all. */
    private boolean endsSoon(long openingQuote) {
      int end = (int) Math.min(message.length, openingQuote + MAX_ESCAPED_LENGTH + 2);
      for (int i = (int) openingQuote + 1; i < end; i++) {
        if (message[i] == '"') {
          return true;
        }
        if (message[i] == '\\') {
          i++;
        }
      }
      return false;
    }

    private static @Nullable String first(
        @Nullable String before, String text, Pattern acceptable) {
      if (before != null) {
        return before;
      }
      return acceptable.matcher(text).matches() ? text : null;
    }

    RequestSalvage salvage() {
      return requestId == null && sessionId == null && replyTo == null
          ? NOTHING
          : new RequestSalvage(requestId, sessionId, replyTo);
    }
  }
}
