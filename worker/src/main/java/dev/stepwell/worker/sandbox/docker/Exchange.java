package dev.stepwell.worker.sandbox.docker;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The HTTP exchanges with the engine that docker-java has no form of. */
final class Exchange {
  /** A head is a few lines. */
  private static final int MAX_HEAD_BYTES = 16 << 10;

  private static final String END_OF_HEAD = "\r\n\r\n";

  private Exchange() {}

  /**
   * Turns a new connection into the standard streams of a container.
   *
   * @throws IOException if the engine refuses
   */
  static void attach(OutputStream toEngine, InputStream fromEngine, String container)
      throws IOException {
    String path = "/containers/" + container + "/attach?stream=1&stdin=1&stdout=1&stderr=1";
    send(
        toEngine,
        "POST "
            + path
            + " HTTP/1.1\r\nHost: docker\r\nContent-Length: 0\r\nConnection: Upgrade\r\nUpgrade: tcp");
    requireStatus(head(fromEngine), "101");
  }

  /**
   * Asks for what {@code path} names over a new connection.
   *
   * @return the answer's body; it ends with the connection
   * @throws IOException if the engine refuses
   */
  static InputStream open(Wire wire, String path) throws IOException {
    // Version 1.0 has the engine send the body as it is, and close.
    send(wire.output(), "GET " + path + " HTTP/1.0\r\nHost: docker");
    InputStream fromEngine = new BufferedInputStream(wire.input());
    requireStatus(head(fromEngine), "200");
    return fromEngine;
  }

  private static void send(OutputStream toEngine, String head) throws IOException {
    toEngine.write((head + END_OF_HEAD).getBytes(StandardCharsets.US_ASCII));
    toEngine.flush();
  }

  private static void requireStatus(String head, String wanted) throws IOException {
    String[] words = head.split(" ", 3);
    if (words.length < 2 || !words[1].equals(wanted)) {
      throw new IOException(
          "the engine answers " + head.lines().findFirst().orElse("nothing") + ", not " + wanted);
    }
  }

  private static String head(InputStream fromEngine) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (head.size() < MAX_HEAD_BYTES) {
      int next = fromEngine.read();
      if (next < 0) {
        break;
      }
      head.write(next);
      if (next == '\n' && head.toString(StandardCharsets.ISO_8859_1).endsWith(END_OF_HEAD)) {
        break;
      }
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }
}
