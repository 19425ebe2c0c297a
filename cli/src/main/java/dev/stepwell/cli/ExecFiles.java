package dev.stepwell.cli;

import dev.stepwell.cli.process.CommandException;
import dev.stepwell.client.SessionFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** The files that go into a session's workspace before its steps, and come out of it after them. */
final class ExecFiles {
  @Option(
      names = "--put",
      paramLabel = "PATH=FILE",
      description = "Puts FILE at PATH of the session's workspace before the first step.")
  private Map<String, Path> put = Map.of();

  @Option(
      names = "--get",
      paramLabel = "PATH=FILE",
      description = "Writes the workspace's file PATH to FILE after the last step.")
  private Map<String, Path> get = Map.of();

  /** What is to be put, content by path. */
  Map<String, byte[]> read() throws IOException {
    Map<String, byte[]> contents = new LinkedHashMap<>();
    for (Map.Entry<String, Path> file : put.entrySet()) {
      if (!Files.isRegularFile(file.getValue())) {
        throw new CommandException("there is no file " + file.getValue());
      }
      contents.put(file.getKey(), Files.readAllBytes(file.getValue()));
    }
    return contents;
  }

  /** Takes out what is to be got; a file that is there already stays as it is until all is here. */
  void write(SessionFiles files) throws IOException {
    for (Map.Entry<String, Path> file : get.entrySet()) {
      Files.write(file.getValue(), files.get(file.getKey()));
    }
  }
}
