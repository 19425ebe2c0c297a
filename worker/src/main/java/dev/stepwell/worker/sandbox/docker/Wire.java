package dev.stepwell.worker.sandbox.docker;

import com.github.dockerjava.transport.SSLConfig;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * One byte connection to the engine. One thread may read while another writes; any may close it,
 * which ends both.
 */
interface Wire extends Closeable {
  /** What the engine sends. */
  InputStream input();

  /** What it is sent; nothing is held back. */
  OutputStream output();

  /** Tells the engine that nothing more will be sent; what it sends still arrives. */
  void endOutput() throws IOException;

  /**
   * Connects.
   *
   * @param tls how to, for an engine that wants it; null for one that doesn't
   * @throws IOException if nobody listens there within {@code timeoutMs} milliseconds
   */
  static Wire connect(URI engine, @Nullable SSLConfig tls, int timeoutMs) throws IOException {
    if ("unix".equals(engine.getScheme())) {
      return new UnixWire(SocketChannel.open(UnixDomainSocketAddress.of(engine.getPath())));
    }
    Socket socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(engine.getHost(), engine.getPort()), timeoutMs);
    SSLContext context = tls == null ? null : context(tls);
    if (context == null) {
      return new TcpWire(socket);
    }
    return new TcpWire(
        context.getSocketFactory().createSocket(socket, engine.getHost(), engine.getPort(), true));
  }

  private static @Nullable SSLContext context(SSLConfig tls) throws IOException {
    try {
      return tls.getSSLContext();
    } catch (GeneralSecurityException e) {
      throw new IOException("the engine's certificates can't be used: " + e.getMessage(), e);
    }
  }

  /** TCP, with or without TLS. */
  record TcpWire(Socket socket) implements Wire {
    @Override
    public InputStream input() {
      return stream(socket::getInputStream);
    }

    @Override
    public OutputStream output() {
      return stream(socket::getOutputStream);
    }

    private static <T> T stream(java.util.concurrent.Callable<T> getter) {
      try {
        return getter.call();
      } catch (Exception e) {
        throw new IllegalStateException("a connected socket has streams", e);
      }
    }

    @Override
    public void endOutput() throws IOException {
      socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /**
   * A Unix socket. The library's own streams of a channel let a blocked read block writes, so these
   * are ours.
   */
  record UnixWire(SocketChannel channel) implements Wire {
    @Override
    public InputStream input() {
      return new InputStream() {
        @Override
        public int read() throws IOException {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
          return length == 0 ? 0 : channel.read(ByteBuffer.wrap(target, offset, length));
        }
      };
    }

    @Override
    public OutputStream output() {
      return new OutputStream() {
        @Override
        public void write(int b) throws IOException {
          write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
          ByteBuffer data = ByteBuffer.wrap(source, offset, length);
          while (data.hasRemaining()) {
            channel.write(data);
          }
        }
      };
    }

    @Override
    public void endOutput() throws IOException {
      channel.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
