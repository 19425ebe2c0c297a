package dev.stepwell.worker.state.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An S3 server in a process of its own, that keeps its buckets in a folder. */
public final class S3Server implements AutoCloseable {
  /** The one bucket. */
  public static final String BUCKET = "stepwell-test";

  private static final Path JAR = Path.of("target", "s3-server", "s3proxy.jar");
  private static final String IDENTITY = "local-identity";
  private static final String SECRET = "local-secret-that-nobody-may-log";
  private static final long START_SECONDS = 60;

  private final Path folder;
  private final int port;
  private Process process;

  private S3Server(Path folder, int port, Process process) {
    this.folder = folder;
    this.port = port;
    this.process = process;
  }

  /** Whether the build has brought the server. */
  public static boolean available() {
    return Files.exists(JAR);
  }

  /** Starts a server with one empty bucket, and waits until it answers. */
  public static S3Server start(Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder.resolve("buckets").resolve(BUCKET));
    int port = freePort();
    Files.write(
        folder.resolve("s3proxy.conf"),
        List.of(
            "s3proxy.endpoint=http://127.0.0.1:" + port,
            "s3proxy.authorization=aws-v4",
            "s3proxy.identity=" + IDENTITY,
            "s3proxy.credential=" + SECRET,
            "jclouds.provider=filesystem-nio2",
            "jclouds.filesystem.basedir=" + folder.resolve("buckets")));
    writeCredentials(folder.resolve("credentials"), SECRET);
    writeCredentials(folder.resolve("wrong-credentials"), "wrong");
    S3Server server = new S3Server(folder, port, process(folder));
    server.await();
    return server;
  }

  private static Process process(Path folder) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-jar",
            JAR.toString(),
            "--properties",
            folder.resolve("s3proxy.conf").toString())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("s3proxy.log").toFile())
        .start();
  }

  private static void writeCredentials(Path file, String secret) throws IOException {
    Files.write(
        file,
        List.of("[default]", "aws_access_key_id=" + IDENTITY, "aws_secret_access_key=" + secret));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void await() throws IOException, InterruptedException {
    long giveUpAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!answers()) {
      if (!process.isAlive() || System.nanoTime() > giveUpAt) {
        throw new IOException(Files.readString(folder.resolve("s3proxy.log")));
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Its address. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** A file with credentials that it takes. */
  public Path credentials() {
    return folder.resolve("credentials");
  }

  /** What a store has to know to use it. */
  S3Store.Settings settings(String prefix, Duration time) {
    return new S3Store.Settings(BUCKET, prefix, endpoint(), null, true, credentials(), time);
  }

  /** The same with credentials that it refuses. */
  S3Store.Settings settingsOfAStranger() {
    return new S3Store.Settings(
        BUCKET,
        "",
        endpoint(),
        null,
        true,
        folder.resolve("wrong-credentials"),
        Duration.ofSeconds(10));
  }

  /** The secret key, which must appear nowhere. */
  static String secret() {
    return SECRET;
  }

  /** Stops the process in its tracks: it takes connections and says nothing. */
  void freeze() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** Lets it go on. */
  void thaw() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String signal) throws IOException, InterruptedException {
    new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
  }

  /** Kills it. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Starts it again where it was, with what it holds. */
  void restart() throws IOException, InterruptedException {
    process = process(folder);
    await();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
