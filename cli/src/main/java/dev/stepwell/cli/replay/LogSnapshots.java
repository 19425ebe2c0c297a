package dev.stepwell.cli.replay;

import dev.stepwell.cli.log.RecordedLog;
import dev.stepwell.cli.log.RecordedSnapshot;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Finds recorded snapshots in a log; used by the thread that drives the replay. */
final class LogSnapshots {
  private final RecordedLog log;

  LogSnapshots(RecordedLog log) {
    this.log = log;
  }

  /** The snapshot of an id; null where the log lacks it. */
  @Nullable RecordedSnapshot snapshot(String id) {
    try {
      return log.snapshot(id);
    } catch (IOException e) {
      throw new LogReadException(e);
    }
  }

  /** The last snapshot of a session that has no more than so many steps; null for none. */
  @Nullable RecordedSnapshot upTo(String session, long step) {
    try {
      RecordedSnapshot found = null;
      for (RecordedSnapshot each : log.snapshots(session)) {
        if (each.step() <= step && (found == null || each.step() > found.step())) {
          found = each;
        }
      }
      return found;
    } catch (IOException e) {
      throw new LogReadException(e);
    }
  }
}
