package dev.stepwell.cli;

import dev.stepwell.cli.eval.EvalReport;
import dev.stepwell.cli.eval.ResultFiles;
import dev.stepwell.cli.eval.Summary;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.report.ReportPage;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where an evaluation's results go; filled in by picocli. */
final class EvalOutputs {
  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Takes a line of JSON for each task or sample.")
  private @Nullable Path out;

  @Option(names = "--csv", paramLabel = "FILE", description = "Takes the same with commas.")
  private @Nullable Path csv;

  @Option(names = "--report", paramLabel = "FILE", description = "Takes a report in HTML.")
  private @Nullable Path report;

  /**
   * Opens the files that take results while they come.
   *
   * @throws CommandException if one can't be written
   */
  ResultFiles open() {
    return ResultFiles.open(out, csv);
  }

  /**
   * Writes the report, where one is asked for.
   *
   * @throws CommandException if it can't be written
   */
  void writeReport(Summary summary, String title) {
    if (report != null) {
      try {
        ReportPage.write(report, EvalReport.of(summary, title));
      } catch (IOException e) {
        throw new CommandException(
            "can't write "
                + report
                + ": "
                + e.getMessage()
                + "; the same command with --resume writes it without running anything again",
            e);
      }
    }
  }
}
