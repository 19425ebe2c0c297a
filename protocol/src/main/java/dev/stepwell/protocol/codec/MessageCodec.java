package dev.stepwell.protocol.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.stepwell.protocol.CancelRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Turns messages into JSON in UTF-8 and back; immutable and thread-safe.
 *
 * <p>Encoding is deterministic: the same message gives the same bytes. It never fails: where a text
 * holds half a surrogate pair, which no UTF-8 can carry, U+FFFD takes its place. Decoding is strict
 * and bounded: whatever the bytes are, it gives a message or throws {@link
 * InvalidMessageException}, and nothing else.
 */
public final class MessageCodec {
  /** The most bytes that a message may have by default: 8 MiB. */
  public static final int DEFAULT_MAX_MESSAGE_BYTES = 8 << 20;

  /** How deep objects and arrays may be nested; the deepest message that there is has four. */
  public static final int MAX_DEPTH = 32;

  private final JsonDocument documents;

  /** A codec that accepts up to {@link #DEFAULT_MAX_MESSAGE_BYTES}. */
  public MessageCodec() {
    this(DEFAULT_MAX_MESSAGE_BYTES);
  }

  /**
   * A codec with a bound of its own.
   *
   * @param maxMessageBytes the most bytes that a message to decode may have, at least 1; what is
   *     encoded is not bounded
   */
  public MessageCodec(int maxMessageBytes) {
    if (maxMessageBytes < 1) {
      throw new IllegalArgumentException(
          "maxMessageBytes is " + maxMessageBytes + ", must be >= 1");
    }
    documents = new JsonDocument(maxMessageBytes);
  }

  /** The bytes of a request, without the optional fields that it has no value for. */
  public byte[] encode(Request request) {
    return written(json -> RequestJson.write(request, new FieldWriter(json, Absent.OMITTED)));
  }

  /** The bytes of a result, with null where it has no value for an optional field. */
  public byte[] encode(ExecutionResult result) {
    return written(json -> ResultJson.write(result, new FieldWriter(json, Absent.WRITTEN)));
  }

  /** The bytes of a head. */
  public byte[] encode(Head head) {
    return written(json -> HeadJson.write(head, new FieldWriter(json, Absent.OMITTED)));
  }

  /** The bytes of a cancel. */
  public byte[] encode(CancelRequest cancel) {
    return written(json -> CancelJson.write(cancel, new FieldWriter(json, Absent.OMITTED)));
  }

  /**
   * The request in a record's value.
   *
   * @throws InvalidMessageException naming what is wrong with it
   */
  public Request decodeRequest(byte[] message) {
    return RequestJson.read(documents.parse(message, Request.VERSION));
  }

  /**
   * The result in a record's value.
   *
   * @throws InvalidMessageException naming what is wrong with it
   */
  public ExecutionResult decodeResult(byte[] message) {
    return ResultJson.read(documents.parse(message, ExecutionResult.VERSION));
  }

  /**
   * The head in a record's value.
   *
   * @throws InvalidMessageException naming what is wrong with it
   */
  public Head decodeHead(byte[] message) {
    return HeadJson.read(documents.parse(message, Head.VERSION));
  }

  /**
   * The cancel in a record's value.
   *
   * @throws InvalidMessageException naming what is wrong with it
   */
  public CancelRequest decodeCancel(byte[] message) {
    return CancelJson.read(documents.parse(message, CancelRequest.VERSION));
  }

  private byte[] written(MessageBody body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (JsonGenerator json = documents.generator(bytes)) {
      json.writeStartObject();
      body.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("memory refused a write", e);
    }
    return bytes.toByteArray();
  }

  private interface MessageBody {
    void write(JsonGenerator json) throws IOException;
  }
}
