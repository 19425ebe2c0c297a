package dev.stepwell.worker.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.BadRequestException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.core.DefaultDockerClientConfig;
import com.github.dockerjava.core.DockerClientConfig;
import com.github.dockerjava.core.DockerClientImpl;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import dev.stepwell.worker.sandbox.SandboxException;
import dev.stepwell.worker.sandbox.Uninterrupted;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Docker engine, asked with a time limit. Thread-safe.
 *
 * <p>Every question is put on a thread of this class, so that an interrupt of the asker doesn't
 * break off what the engine does anyway.
 */
final class Engine implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  /** An engine on this machine accepts at once, one on another in a round trip or two. */
  private static final int CONNECT_TIMEOUT_MS = 5_000;

  /** The first answer, on a busy machine that has yet to load the client's classes. */
  private static final int FIRST_ANSWER_TIMEOUT_MS = 15_000;

  /** Requests at once; those in excess wait. */
  private static final int MAX_CONNECTIONS = 64;

  private final DockerClientConfig config;
  private final ZerodepDockerHttpClient http;
  private final DockerClient client;
  private final long answerTimeoutMs;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "stepwell-docker-call");
            thread.setDaemon(true);
            return thread;
          });

  Engine(DockerSettings settings) {
    DefaultDockerClientConfig.Builder builder =
        DefaultDockerClientConfig.createDefaultConfigBuilder();
    if (settings.host() != null) {
      builder.withDockerHost(settings.host().toString());
    }
    config = builder.build();
    answerTimeoutMs = settings.answerTimeout().toMillis();
    http =
        new ZerodepDockerHttpClient.Builder()
            .dockerHost(config.getDockerHost())
            .sslConfig(config.getSSLConfig())
            .maxConnections(MAX_CONNECTIONS)
            .connectionTimeout(Duration.ofMillis(CONNECT_TIMEOUT_MS))
            .responseTimeout(settings.answerTimeout())
            .build();
    client = DockerClientImpl.getInstance(config, http);
  }

  /** Where it is, for messages. */
  String address() {
    return config.getDockerHost().toString();
  }

  /** Whether it is reached as only what is on this machine can be. */
  boolean isHere() {
    return "unix".equals(config.getDockerHost().getScheme());
  }

  /** A question to the engine. */
  @FunctionalInterface
  interface Question<T> {
    /** Asks; fails as docker-java does. */
    T ask(DockerClient client) throws IOException;
  }

  /**
   * Puts a question. Blocks for the settings' time at most, through interrupts.
   *
   * @return the answer; empty if the engine doesn't know the container or image asked about
   * @throws SandboxException if it refuses (permanent), or can't be reached or doesn't answer
   *     (passing)
   */
  <T> Optional<T> ask(String what, Question<T> question) throws SandboxException {
    return within(answerTimeoutMs, what, () -> question.ask(client));
  }

  /** Something the engine is to do. */
  @FunctionalInterface
  interface Order {
    /** Orders it; fails as docker-java does. */
    void give(DockerClient client);
  }

  /**
   * The same, for what has no answer.
   *
   * @return whether the engine knows the container it is about
   */
  boolean tell(String what, Order order) throws SandboxException {
    return ask(
            what,
            asked -> {
              order.give(asked);
              return what;
            })
        .isPresent();
  }

  /** The same, for the one question that shows whether there is an engine. */
  String version() throws SandboxException {
    return within(
            FIRST_ANSWER_TIMEOUT_MS,
            "tell its version",
            () -> client.versionCmd().exec().getVersion())
        .orElse("of unknown version");
  }

  /** A new connection, for what docker-java has no form of; the caller closes it. */
  Wire wire() throws IOException {
    return Wire.connect(config.getDockerHost(), config.getSSLConfig(), CONNECT_TIMEOUT_MS);
  }

  /** A container's standard streams. */
  Attachment attach(String container) throws SandboxException {
    Optional<Attachment> attached =
        within(answerTimeoutMs, "attach to a container", () -> Attachment.open(wire(), container));
    return attached.orElseThrow(
        () -> SandboxException.passing("the engine has lost a container", null));
  }

  private <T> Optional<T> within(long timeoutMs, String what, Callable<T> question)
      throws SandboxException {
    Future<T> answer = threads.submit(question);
    try {
      return Optional.ofNullable(Uninterrupted.get(answer, timeoutMs));
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof NotFoundException) {
        LOG.debug("{}: the engine doesn't know it", what, cause);
        return Optional.empty();
      }
      String message = "the Docker engine at " + address() + " failed to " + what + ": " + cause;
      throw cause instanceof BadRequestException
          ? SandboxException.permanent(message, cause)
          : SandboxException.passing(message, cause);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw SandboxException.passing(
          "the Docker engine at " + address() + " didn't " + what + " within " + timeoutMs + " ms",
          e);
    }
  }

  @Override
  public void close() throws IOException {
    threads.shutdown();
    http.close();
  }
}
