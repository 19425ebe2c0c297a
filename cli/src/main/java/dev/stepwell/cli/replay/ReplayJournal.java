package dev.stepwell.cli.replay;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.progress.Progress;
import dev.stepwell.cli.run.Courier;
import dev.stepwell.cli.run.RunFolder;
import java.io.IOException;

/**
 * Writes what came of requests into the run's folder, and keeps the summary of it; thread-safe. The
 * summary is guarded by this.
 */
final class ReplayJournal implements Recorder {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String BEGUN = "{\"begun\":";
  private static final String STARTED = "{\"started\":";

  private final RunFolder folder;
  private final Courier courier;
  private final Progress progress;
  private final Summary summary;

  ReplayJournal(RunFolder folder, Courier courier, Progress progress, Summary summary) {
    this.folder = folder;
    this.courier = courier;
    this.progress = progress;
    this.summary = summary;
  }

  /** When the run began, milliseconds since the epoch: noted by its first process. */
  static long begun(RunFolder folder, long nowMs) throws IOException {
    long[] found = {-1};
    folder.forEachLine(
        line -> {
          if (line.startsWith(BEGUN)) {
            found[0] = Long.parseLong(line.substring(BEGUN.length(), line.length() - 1));
          }
        });
    if (found[0] < 0) {
      folder.append(BEGUN + nowMs + "}");
      return nowMs;
    }
    return found[0];
  }

  /** Takes over what earlier processes have written. */
  static Progressed read(RunFolder folder, Summary summary) throws IOException {
    Progressed progressed = new Progressed();
    folder.forEachLine(
        line -> {
          try {
            if (line.startsWith(STARTED)) {
              progressed.started.add(MAPPER.readTree(line).path("started").asText());
            } else if (!line.startsWith(BEGUN)) {
              Finding finding = Finding.parse(line);
              progressed.add(finding, folder.run().of(finding.id()));
              summary.add(finding);
            }
          } catch (IOException | IllegalArgumentException e) {
            throw new CommandException(
                "the run's journal is damaged: " + e.getMessage() + "; add --restart to drop it",
                e);
          }
        });
    return progressed;
  }

  @Override
  public void record(Finding finding, String replayId) {
    synchronized (this) {
      boolean texts = summary.add(finding);
      folder.append((texts ? finding : finding.brief()).line());
    }
    courier.finish(replayId);
    progress.done(finding.verdict().label());
  }

  @Override
  public void started(String session, String requestId) {
    folder.append(MAPPER.createObjectNode().put("started", session).toString());
    courier.finish(requestId);
  }

  @Override
  public void note(String line) {
    progress.note(line);
  }
}
