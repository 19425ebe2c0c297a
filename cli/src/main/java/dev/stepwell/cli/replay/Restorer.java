package dev.stepwell.cli.replay;

import dev.stepwell.cli.log.RecordedSnapshot;
import java.io.IOException;

/** Brings recorded snapshots into the installation; thread-safe, blocks. */
@FunctionalInterface
interface Restorer {
  /**
   * Writes a snapshot.
   *
   * @return the reference that forks can start from
   * @throws IOException saying why it can't be written
   */
  String restore(RecordedSnapshot snapshot) throws IOException, InterruptedException;
}
