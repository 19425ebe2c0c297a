package dev.stepwell.broker;

import java.io.IOException;
import java.util.List;

/**
 * The broker's process. Prints {@code ready: HOST:PORT} when it serves, leaves when its standard
 * input ends or at SIGTERM, and keeps its log in its data folder.
 *
 * <p>Exit codes: 0 when it was asked to leave, 1 when it could not start, 2 for wrong arguments.
 */
public final class BrokerMain {
  private BrokerMain() {}

  /**
   * Runs the broker until it is asked to leave.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) throws IOException {
    if (List.of(arguments).contains("--help")) {
      System.out.println(BrokerOptions.USAGE);
      return;
    }
    BrokerOptions options;
    try {
      options = BrokerOptions.parse(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + System.lineSeparator() + BrokerOptions.USAGE);
      System.exit(2);
      return;
    }
    configureLogging(options);
    serve(options);
  }

  /** Before the first logger is made, which reads all this. */
  private static void configureLogging(BrokerOptions options) {
    System.setProperty("logback.configurationFile", "broker-logback.xml");
    System.setProperty("stepwell.broker.log", options.logFile().toString());
    // Kafka loads Log4j though nothing is logged with it; its hook has nothing to end.
    System.setProperty("log4j.shutdownHookEnabled", "false");
  }

  private static void serve(BrokerOptions options) {
    BrokerLife life = new BrokerLife(options);
    Runtime.getRuntime().addShutdownHook(new Thread(life::end, "broker ends"));
    // Watched while it starts, too, so that a parent that dies meanwhile is noticed.
    leaveAtEndOfInput();
    try {
      System.out.println("ready: " + life.start());
    } catch (IOException | RuntimeException e) {
      System.err.println("broker can't start: " + e.getMessage());
      System.exit(1);
    }
  }

  private static void leaveAtEndOfInput() {
    Thread watcher =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // Whatever is written to the broker means that its parent is there.
                }
              } catch (IOException e) {
                System.err.println("standard input is gone: " + e.getMessage());
              }
              System.exit(0);
            },
            "broker watches its parent");
    watcher.setDaemon(true);
    watcher.start();
  }
}
