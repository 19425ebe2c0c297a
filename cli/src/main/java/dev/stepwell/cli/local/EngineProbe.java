package dev.stepwell.cli.local;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds out whether a Docker engine answers, so that its images are made before it is used. */
final class EngineProbe {
  private static final String UNIX = "unix://";
  private static final String STANDARD = "unix:///var/run/docker.sock";

  private EngineProbe() {}

  /**
   * Whether an engine answers at an address.
   *
   * @param dockerHost as in {@code DOCKER_HOST}, or null for the standard socket
   */
  static boolean answers(@Nullable String dockerHost) {
    String host = dockerHost == null || dockerHost.isEmpty() ? STANDARD : dockerHost;
    // What is reached over a network was set on purpose, so it is taken for there.
    return !host.startsWith(UNIX) || answersAt(Path.of(host.substring(UNIX.length())));
  }

  private static boolean answersAt(Path socket) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(
          ByteBuffer.wrap(
              "GET /_ping HTTP/1.0\r\nHost: docker\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
      ByteBuffer answer = ByteBuffer.allocate(64);
      channel.read(answer);
      String start = new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII);
      return start.startsWith("HTTP/1.") && start.contains(" 200 ");
    } catch (IOException e) {
      // Nothing listens there, or not to us: no engine of ours.
      return false;
    }
  }
}
