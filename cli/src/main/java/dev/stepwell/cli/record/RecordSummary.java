package dev.stepwell.cli.record;

import dev.stepwell.cli.log.LogWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * What was recorded, and what was not; immutable.
 *
 * @param appended what is in the log
 * @param bytes its size
 * @param sessions how many sessions its requests name
 * @param unanswered requests whose result is not in it
 * @param withoutRequest results of the same time that were left out, because their request is not
 *     in it
 * @param withheld values of secret variables that were taken out
 * @param state what of the sessions' states could not be recorded
 * @param stopped whether it was ended before its end
 */
public record RecordSummary(
    LogWriter.Appended appended,
    long bytes,
    long sessions,
    long unanswered,
    long withoutRequest,
    long withheld,
    StateLosses state,
    boolean stopped) {

  /**
   * What of the sessions' states is not in the log; immutable.
   *
   * @param secretPieces pieces that hold a secret
   * @param secretSnapshots snapshots whose description holds one
   * @param unreadable snapshots that could not be read
   * @param reasons why, the first ten
   */
  public record StateLosses(
      long secretPieces, long secretSnapshots, long unreadable, List<String> reasons) {
    public StateLosses {
      reasons = List.copyOf(reasons);
    }
  }

  /**
   * The summary as lines.
   *
   * @param log the log's name
   */
  public List<String> lines(String log) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "recorded %s: %d requests, %d results, %d sessions, %d snapshots, %d pieces, %d bytes"
            .formatted(
                log,
                appended.requests(),
                appended.results(),
                sessions,
                appended.snapshots(),
                appended.pieces(),
                bytes));
    lines.add("%d unanswered, %d results without request".formatted(unanswered, withoutRequest));
    lines.add(
        "left out: %d values of secrets, %d pieces and %d snapshots that hold one, %d snapshots that could not be read"
            .formatted(withheld, state.secretPieces, state.secretSnapshots, state.unreadable));
    state.reasons.forEach(reason -> lines.add("  " + reason));
    if (stopped) {
      lines.add(
          "it was stopped before its end: what is above is all that is in the log, and it says so");
    }
    return lines;
  }
}
