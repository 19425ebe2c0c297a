package dev.stepwell.cli.record;

import dev.stepwell.worker.config.WorkerConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What is to be recorded; immutable.
 *
 * @param config of the installation: Kafka, topics, object store
 * @param from where the range begins, in its written form
 * @param to where it ends
 * @param sessions only these; empty for everything
 * @param states which snapshots
 * @param ignore rules for what is known to vary, written into the log as they are
 * @param withhold further names, or parts of names, of secret variables
 * @param secretValues texts that are secret wherever they are, of at least six characters
 * @param answers how long to wait for results that are not there yet; zero for not at all
 * @param log the file
 * @param replace whether a file of that name may go
 */
public record RecordOptions(
    WorkerConfig config,
    String from,
    String to,
    Set<String> sessions,
    States states,
    List<String> ignore,
    List<String> withhold,
    List<String> secretValues,
    Duration answers,
    Path log,
    boolean replace) {
  /** Secrets of fewer characters are taken out of their variables alone. */
  public static final int SECRET_CHARACTERS = SecretFinder.MIN_CHARACTERS;

  public RecordOptions {
    sessions = Set.copyOf(sessions);
    ignore = List.copyOf(ignore);
    withhold = List.copyOf(withhold);
    secretValues = List.copyOf(secretValues);
  }

  /** Which snapshots are recorded. */
  public enum States {
    /** Those that the recorded steps left, and the one before the first of them. */
    ALL,
    /** The one before a session's first recorded step: what a replay can't do without. */
    START,
    /** None. */
    NONE
  }
}
