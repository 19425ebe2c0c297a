package dev.stepwell.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for; immutable.
 *
 * @param port the TCP port on the loopback interface, 0 for any that is free
 * @param dataFolder where the broker keeps its data and its log
 * @param temporary whether the data folder is deleted when the broker leaves
 */
record BrokerOptions(int port, Path dataFolder, boolean temporary) {
  static final String USAGE =
      """
      usage: BrokerMain [--port=PORT] [--data=FOLDER] [--temporary]
        --port=PORT    loopback port, 0 to 65535; 0 (the default) takes a free one
        --data=FOLDER  where data and log are kept; without it a new temporary folder
        --temporary    delete the folder when the broker leaves
      """;

  private static final int MAX_PORT = 65_535;

  /**
   * Reads the arguments, and makes the temporary folder where none is named.
   *
   * @throws IllegalArgumentException naming the argument that is wrong
   */
  static BrokerOptions parse(String... arguments) throws IOException {
    int port = 0;
    Path folder = null;
    boolean temporary = false;
    for (String argument : arguments) {
      if (argument.startsWith("--port=")) {
        port = port(argument);
      } else if (argument.startsWith("--data=")) {
        folder = Path.of(argument.substring("--data=".length()));
      } else if (argument.equals("--temporary")) {
        temporary = true;
      } else {
        throw new IllegalArgumentException("unknown argument '" + argument + "'");
      }
    }
    return at(port, folder, temporary);
  }

  private static BrokerOptions at(int port, @Nullable Path folder, boolean temporary)
      throws IOException {
    return folder == null
        ? new BrokerOptions(port, Files.createTempDirectory("stepwell-broker-"), true)
        : new BrokerOptions(
            port, Files.createDirectories(folder.toAbsolutePath().normalize()), temporary);
  }

  private static int port(String argument) {
    try {
      int port = Integer.parseInt(argument.substring("--port=".length()));
      if (port >= 0 && port <= MAX_PORT) {
        return port;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + argument + "' names no port", e);
    }
    throw new IllegalArgumentException("'" + argument + "' is not within 0 to " + MAX_PORT);
  }

  Path kafkaFolder() {
    return dataFolder.resolve("kafka");
  }

  Path logFile() {
    return dataFolder.resolve("broker.log");
  }
}
