package dev.stepwell.cli.eval;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stepwell.cli.process.CommandException;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The files that take a line for each sample; owned by the thread that runs the evaluation. */
public final class ResultFiles implements AutoCloseable {
  private final Writer lines;
  private final Writer csv;
  private boolean begun;

  private ResultFiles(Writer lines, Writer csv) {
    this.lines = lines;
    this.csv = csv;
  }

  /**
   * Opens files anew.
   *
   * @param out takes JSON lines, or null for none
   * @param csv takes comma-separated values, or null for none
   * @throws CommandException if one can't be written
   */
  public static ResultFiles open(@Nullable Path out, @Nullable Path csv) {
    Writer lines = opened(out);
    try {
      return new ResultFiles(lines, opened(csv));
    } catch (CommandException e) {
      close(lines);
      throw e;
    }
  }

  private static Writer opened(@Nullable Path file) {
    try {
      return file == null ? Writer.nullWriter() : Files.newBufferedWriter(file);
    } catch (IOException e) {
      throw new CommandException("can't write " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Takes a task's verdict.
   *
   * @throws CommandException if it can't be written
   */
  void take(TaskVerdict verdict) {
    try {
      for (SampleVerdict each : verdict.samples()) {
        ObjectNode line = VerdictJson.sample(each);
        if (!begun) {
          csv.write(CsvLine.header(line));
          begun = true;
        }
        lines.write(line + "\n");
        csv.write(CsvLine.of(line));
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void close() {
    close(lines);
    close(csv);
  }

  private static void close(Writer writer) {
    try {
      writer.close();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static CommandException failed(IOException e) {
    return new CommandException("can't write results: " + e.getMessage(), e);
  }
}
