package dev.stepwell.cli;

import static java.util.Objects.requireNonNull;

import com.sun.net.httpserver.HttpServer;
import dev.stepwell.cli.load.Load;
import dev.stepwell.cli.load.LoadReader;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.process.ExitCodes;
import dev.stepwell.protocol.Topics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tells how busy an installation is. */
@Command(
    name = "load",
    description = {
      "Tells how busy the workers are: requests without an answer, queueing, rate, members.",
      "docs/scaling.md says what to make of it."
    })
final class LoadCommand implements Callable<Integer> {
  private static final int MAX_PORT = 65_535;

  @Option(names = "--bootstrap", required = true, paramLabel = "HOST:PORT", description = "Kafka.")
  private String bootstrap;

  @Option(
      names = "--group",
      defaultValue = "stepwell-workers",
      description = "The workers' group. Default: ${DEFAULT-VALUE}")
  private String group;

  @Option(
      names = "--prefix",
      defaultValue = "stepwell",
      description = "What the topics' names begin with. Default: ${DEFAULT-VALUE}")
  private String prefix;

  @Option(
      names = "--window",
      defaultValue = "60s",
      description = "How far back results count. Default: ${DEFAULT-VALUE}")
  private Duration window;

  @Option(names = "--every", description = "Tell it again and again, such as every 10s.")
  private @Nullable Duration every;

  @Option(
      names = "--listen",
      paramLabel = "[HOST:]PORT",
      description =
          "Answer each GET / with it as JSON, for an autoscaler; on the loopback interface where no"
              + " host is given.")
  private @Nullable String listen;

  @Option(names = "--json", description = "Print an object a line.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    InetSocketAddress address = listen == null ? null : address(listen);
    try (LoadReader reader = LoadReader.open(bootstrap, group, new Topics(prefix), window)) {
      AtomicReference<Load> latest = new AtomicReference<>(reader.read());
      print(requireNonNull(latest.get()));
      if (address == null && every == null) {
        return ExitCodes.OK;
      }
      HttpServer server = address == null ? null : serve(address, latest);
      try {
        Duration pause = every == null ? Duration.ofSeconds(5) : every;
        while (true) {
          Thread.sleep(pause.toMillis());
          latest.set(reader.read());
          if (every != null) {
            print(requireNonNull(latest.get()));
          }
        }
      } finally {
        if (server != null) {
          server.stop(0);
        }
      }
    }
  }

  private void print(Load load) {
    spec.commandLine().getOut().println(json ? load.json() : load.line());
  }

  private HttpServer serve(InetSocketAddress address, AtomicReference<Load> latest) {
    try {
      HttpServer server = HttpServer.create(address, 0);
      server.createContext(
          "/",
          exchange -> {
            try (exchange) {
              byte[] body =
                  (requireNonNull(latest.get()).json() + "\n").getBytes(StandardCharsets.UTF_8);
              exchange.getResponseHeaders().set("Content-Type", "application/json");
              exchange.sendResponseHeaders(200, body.length);
              exchange.getResponseBody().write(body);
            }
          });
      server.start();
      spec.commandLine()
          .getErr()
          .println(
              "stepwell: listening on http://%s:%d/"
                  .formatted(server.getAddress().getHostString(), server.getAddress().getPort()));
      return server;
    } catch (IOException e) {
      throw new CommandException("can't listen on " + listen + ": " + e.getMessage(), e);
    }
  }

  private InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "127.0.0.1" : text.substring(0, colon);
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (port >= 0 && port <= MAX_PORT && !host.isEmpty()) {
        return new InetSocketAddress(host, port);
      }
    } catch (NumberFormatException e) {
      // Told below, as any other port that there can't be.
    }
    throw new ParameterException(
        spec.commandLine(), "--listen is '" + text + "', must be PORT or HOST:PORT, 0 to 65535");
  }
}
