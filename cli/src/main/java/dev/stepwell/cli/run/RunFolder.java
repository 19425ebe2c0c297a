package dev.stepwell.cli.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stepwell.cli.process.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder that remembers how far a run is, so that a later process can go on with it; thread-safe.
 * Only one process has it at a time.
 *
 * <p>It has a journal of lines: one for each thing that is done, as whoever runs wrote it, and
 * between them checkpoints. Lines are found again in the order in which they were added, so that a
 * checkpoint is never found without the lines before it.
 */
public final class RunFolder implements AutoCloseable {
  /** What to do about a run that was interrupted. */
  public enum Mode {
    /** There must be none. */
    FRESH,
    /** Go on with it; begin where there is none. */
    RESUME,
    /** Drop it. */
    RESTART
  }

  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String RUN_FILE = "run.json";
  private static final String JOURNAL = "journal.jsonl";
  private static final String CHECKPOINT = "{\"checkpoint\":";

  private final Path folder;
  private final FolderLock lock;
  private final RunFile run;
  private final boolean resumed;
  private final Journal journal;

  /** The last checkpoint of earlier processes; set once, by {@link #open}. */
  private @Nullable Checkpoint checkpoint;

  /** How many lines earlier processes wrote; set once, by {@link #open}. */
  private long lines;

  private RunFolder(Path folder, FolderLock lock, RunFile run, boolean resumed, Journal journal) {
    this.folder = folder;
    this.lock = lock;
    this.run = run;
    this.resumed = resumed;
    this.journal = journal;
  }

  /**
   * Opens the folder of a run, or begins one.
   *
   * @param folder where; made where it isn't there, and if it is, it must be empty or of a run
   * @throws CommandException if another process has it, if an interrupted run is there and the mode
   *     is {@link Mode#FRESH}, if it is of something else than the subject, or can't be used
   */
  public static RunFolder open(Path folder, RunSubject subject, Mode mode) {
    try {
      FolderLock lock = FolderLock.take(folder);
      try {
        return opened(folder, subject, mode, lock);
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw new CommandException(
          "the run's folder %s can't be used: %s; --work DIR names another"
              .formatted(folder, e.getMessage()),
          e);
    }
  }

  private static RunFolder opened(Path folder, RunSubject subject, Mode mode, FolderLock lock)
      throws IOException {
    Path runFile = folder.resolve(RUN_FILE);
    boolean interrupted = Files.exists(runFile);
    if (!interrupted) {
      refuseForeign(folder);
    }
    if (interrupted && mode == Mode.RESTART) {
      clear(folder);
      interrupted = false;
    }
    RunFile run = interrupted ? readRunFile(folder, runFile) : begun(subject);
    if (!interrupted) {
      Files.deleteIfExists(folder.resolve(JOURNAL));
      run.write(runFile);
    }
    RunFolder opened =
        new RunFolder(folder, lock, run, interrupted, Journal.open(folder.resolve(JOURNAL)));
    try {
      opened.look();
      if (interrupted) {
        opened.refuseUnless(subject, mode);
      }
      return opened;
    } catch (IOException | RuntimeException e) {
      opened.journal.close();
      throw e;
    }
  }

  private static RunFile begun(RunSubject subject) throws IOException {
    return new RunFile(
        subject.kind(),
        RunId.random(subject.kind().charAt(0)),
        subject.inputFingerprint(),
        subject.options(),
        subject.bootstrap());
  }

  private static RunFile readRunFile(Path folder, Path runFile) {
    try {
      return RunFile.read(runFile);
    } catch (IOException e) {
      throw new CommandException(
          "an interrupted run is in %s, but its %s can't be read: %s; add --restart to drop it"
              .formatted(folder, RUN_FILE, e.getMessage()),
          e);
    }
  }

  /** What somebody else keeps in the folder would be deleted at the end. */
  private static void refuseForeign(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      List<String> others =
          files
              .map(each -> each.getFileName().toString())
              .filter(each -> !each.equals(FolderLock.FILE) && !each.startsWith(RUN_FILE))
              .toList();
      if (!others.isEmpty()) {
        Files.deleteIfExists(folder.resolve(FolderLock.FILE));
        throw new CommandException(
            "%s is not empty and has no run in it: --work must name a folder for the run alone"
                .formatted(folder));
      }
    } catch (IOException e) {
      throw new CommandException("%s can't be listed: %s".formatted(folder, e.getMessage()), e);
    }
  }

  private void refuseUnless(RunSubject subject, Mode mode) throws IOException {
    String dropIt = "; add --restart to drop it";
    if (!run.kind().equals(subject.kind())) {
      throw new CommandException(
          "an interrupted run of `stepwell %s` is in %s; --work DIR names another folder"
              .formatted(run.kind(), folder));
    }
    if (mode == Mode.FRESH) {
      throw new CommandException(
          "an interrupted run of this is in %s, %d done: add --resume to go on, or --restart to"
                  .formatted(folder, lines)
              + " drop it");
    }
    String interrupted = "the interrupted run in " + folder;
    if (!run.options().equals(subject.options())) {
      throw new CommandException(
          interrupted + " had other options: " + String.join(" ", run.options()) + dropIt);
    }
    if (!Objects.equals(run.bootstrap(), subject.bootstrap())) {
      throw new CommandException(
          interrupted
              + (run.bootstrap() == null
                  ? " had a broker of its own: leave --bootstrap out"
                  : " used Kafka at " + run.bootstrap() + ": give the same --bootstrap")
              + dropIt);
    }
    if (!run.input().equals(subject.inputFingerprint())) {
      throw new CommandException(
          interrupted + " began with " + subject.inputs() + ", which changed since" + dropIt);
    }
  }

  private void look() throws IOException {
    journal.forEach(
        line -> {
          if (line.startsWith(CHECKPOINT)) {
            checkpoint = checkpoint(line);
          } else {
            lines++;
          }
        });
  }

  /** Whether an earlier process began this run. */
  public boolean resumed() {
    return resumed;
  }

  /** The run's name. */
  public RunId run() {
    return run.run();
  }

  /** How many lines earlier processes have written, checkpoints not counted. */
  public long lines() {
    return lines;
  }

  /** The last checkpoint that an earlier process has written; null for none. */
  public @Nullable Checkpoint checkpoint() {
    return checkpoint;
  }

  /** Where a broker of the run's own keeps its data. */
  public Path brokerFolder() {
    return folder.resolve("broker");
  }

  /**
   * Gives the lines that there are, the oldest first, without checkpoints.
   *
   * @throws IOException if they can't be read
   */
  public void forEachLine(Consumer<String> each) throws IOException {
    journal.forEach(
        line -> {
          if (!line.startsWith(CHECKPOINT)) {
            each.accept(line);
          }
        });
  }

  /**
   * Adds a line. Blocks for no disk.
   *
   * @param line a JSON object without a line break
   * @throws java.io.UncheckedIOException if lines can't be written any more
   */
  public void append(String line) {
    if (line.indexOf('\n') >= 0 || line.startsWith(CHECKPOINT)) {
      throw new IllegalArgumentException("no line of a journal: " + line);
    }
    journal.append(line);
  }

  /** Adds a checkpoint, which covers the lines before it. */
  public void append(Checkpoint reached) {
    ObjectNode json = MAPPER.createObjectNode();
    ObjectNode offsets = json.putObject("checkpoint");
    reached.requests().forEach(offsets.putArray("requests")::add);
    reached.results().forEach(offsets.putArray("results")::add);
    journal.append(json.toString());
  }

  /** Sees to it that every line so far outlives a crash of the machine. Blocks for the disk. */
  public void force() {
    journal.force();
  }

  private static Checkpoint checkpoint(String line) {
    try {
      JsonNode json = MAPPER.readTree(line).path("checkpoint");
      return new Checkpoint(offsets(json.path("requests")), offsets(json.path("results")));
    } catch (JsonProcessingException e) {
      throw new CommandException(
          "the run's journal is damaged: " + line + "; add --restart to drop the run", e);
    }
  }

  private static List<Long> offsets(JsonNode json) {
    List<Long> offsets = new ArrayList<>();
    json.forEach(each -> offsets.add(each.asLong()));
    return offsets;
  }

  /** Deletes the folder: the run is over. Nothing may be added after it. */
  public void delete() throws IOException {
    journal.close();
    clear(folder);
    lock.close();
    Files.deleteIfExists(folder.resolve(FolderLock.FILE));
    Files.deleteIfExists(folder);
  }

  private static void clear(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(folder)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    // The run's file first: half a folder must not look like a run.
    Files.deleteIfExists(folder.resolve(RUN_FILE));
    for (Path each : all) {
      if (!each.equals(folder) && !each.equals(folder.resolve(FolderLock.FILE))) {
        Files.deleteIfExists(each);
      }
    }
  }

  /** Leaves the folder for a later process. Idempotent. */
  @Override
  public void close() {
    try {
      journal.close();
      lock.close();
    } catch (IOException e) {
      throw new CommandException("the run's journal can't be closed: " + e.getMessage(), e);
    }
  }
}
