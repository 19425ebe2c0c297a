package dev.stepwell.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.cli.process.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunFolderTest {
  private static final Checkpoint EARLY = new Checkpoint(List.of(1L, 2L), List.of(3L, 4L));
  private static final Checkpoint LATE = new Checkpoint(List.of(11L, 12L), List.of(13L, 14L));

  @TempDir private Path root;
  private Path folder;
  private Path input;

  @BeforeEach
  void write() throws IOException {
    folder = root.resolve("run");
    input = Files.writeString(root.resolve("input"), "what to do");
  }

  private RunSubject subject(String... options) {
    return new RunSubject("replay", List.of(input), List.of(options), null);
  }

  private static List<String> lines(RunFolder run) throws IOException {
    List<String> lines = new ArrayList<>();
    run.forEachLine(lines::add);
    return lines;
  }

  private RunId interrupted() {
    try (RunFolder run = RunFolder.open(folder, subject("a=1"), RunFolder.Mode.FRESH)) {
      assertThat(run.resumed()).isFalse();
      assertThat(run.checkpoint()).isNull();
      run.append(EARLY);
      run.append("{\"n\":1}");
      run.append("{\"n\":2}");
      run.append(LATE);
      run.append("{\"n\":3}");
      return run.run();
    }
  }

  @Test
  void resumedRun_findsItsNameLinesAndLastCheckpoint() throws IOException {
    RunId name = interrupted();
    try (RunFolder run = RunFolder.open(folder, subject("a=1"), RunFolder.Mode.RESUME)) {
      assertThat(run.resumed()).isTrue();
      assertThat(run.run()).isEqualTo(name);
      assertThat(run.lines()).isEqualTo(3);
      assertThat(run.checkpoint()).isEqualTo(LATE);
      run.append("{\"n\":4}");
      assertThat(lines(run)).containsExactly("{\"n\":1}", "{\"n\":2}", "{\"n\":3}", "{\"n\":4}");
    }
  }

  @Test
  void tornLastLine_isCutOff() throws IOException {
    interrupted();
    Path journal = folder.resolve("journal.jsonl");
    for (String torn : List.of("{", "{\"n\":4", "{\"checkpoint\":{\"requ", "x".repeat(200_000))) {
      Files.writeString(journal, torn, StandardOpenOption.APPEND);
      try (RunFolder run = RunFolder.open(folder, subject("a=1"), RunFolder.Mode.RESUME)) {
        assertThat(lines(run)).containsExactly("{\"n\":1}", "{\"n\":2}", "{\"n\":3}");
        assertThat(run.checkpoint()).isEqualTo(LATE);
      }
    }
  }

  @Test
  void checkpoint_isNeverFoundWithoutTheLinesBefore() throws IOException {
    interrupted();
    Path journal = folder.resolve("journal.jsonl");
    byte[] whole = Files.readAllBytes(journal);
    for (int length = 0; length <= whole.length; length++) {
      Files.write(journal, java.util.Arrays.copyOf(whole, length));
      try (RunFolder run = RunFolder.open(folder, subject("a=1"), RunFolder.Mode.RESUME)) {
        if (LATE.equals(run.checkpoint())) {
          assertThat(run.lines()).isGreaterThanOrEqualTo(2);
        }
        assertThat(run.lines()).isEqualTo(lines(run).size());
      }
    }
  }

  @Test
  void interruptedRun_isNeitherTakenUpNorDroppedUnasked() {
    RunId name = interrupted();
    assertThatThrownBy(() -> RunFolder.open(folder, subject("a=1"), RunFolder.Mode.FRESH))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("3 done")
        .hasMessageContaining(folder.toString())
        .hasMessageContaining("--resume")
        .hasMessageContaining("--restart");
    try (RunFolder run = RunFolder.open(folder, subject("a=1"), RunFolder.Mode.RESTART)) {
      assertThat(run.resumed()).isFalse();
      assertThat(run.lines()).isZero();
      assertThat(run.run()).isNotEqualTo(name);
    }
  }

  @Test
  void changedSubject_isRefused() throws IOException {
    interrupted();
    assertThatThrownBy(() -> RunFolder.open(folder, subject("a=2"), RunFolder.Mode.RESUME))
        .hasMessageContaining("other options: a=1");
    assertThatThrownBy(
            () ->
                RunFolder.open(
                    folder,
                    new RunSubject("replay", List.of(input), List.of("a=1"), "host:1"),
                    RunFolder.Mode.RESUME))
        .hasMessageContaining("a broker of its own");
    assertThatThrownBy(
            () ->
                RunFolder.open(
                    folder,
                    new RunSubject("eval", List.of(input), List.of("a=1"), null),
                    RunFolder.Mode.RESUME))
        .hasMessageContaining("stepwell replay");
    Files.writeString(input, "what else to do");
    assertThatThrownBy(() -> RunFolder.open(folder, subject("a=1"), RunFolder.Mode.RESUME))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("changed since");
  }

  @Test
  void folder_isOneProcesssAtATime() {
    try (RunFolder run = RunFolder.open(folder, subject(), RunFolder.Mode.RESUME)) {
      assertThat(run.resumed()).isFalse();
      assertThatThrownBy(() -> RunFolder.open(folder, subject(), RunFolder.Mode.RESTART))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("another process");
    }
  }

  @Test
  void finishedRun_leavesNothing() throws IOException {
    try (RunFolder run = RunFolder.open(folder, subject(), RunFolder.Mode.FRESH)) {
      Files.createDirectories(run.brokerFolder().resolve("deep"));
      Files.writeString(run.brokerFolder().resolve("deep/file"), "data");
      run.append("{}");
      run.delete();
    }
    assertThat(folder).doesNotExist();
  }

  @Test
  void foreignFolder_isLeftAlone() throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("thesis.txt"), "of great value");
    for (RunFolder.Mode mode : RunFolder.Mode.values()) {
      assertThatThrownBy(() -> RunFolder.open(folder, subject(), mode))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("not empty");
    }
    assertThat(folder).isDirectoryContaining("glob:**thesis.txt");
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void defaultFolder_tellsRunsApart() {
    Map<String, String> home = Map.of("XDG_STATE_HOME", root.toString());
    Path place = subject("a=1").defaultFolder(home);
    assertThat(place.getParent()).isEqualTo(root.resolve("stepwell/runs"));
    assertThat(place.getFileName().toString()).matches("replay-[0-9a-f]{12}");
    assertThat(subject("a=1").defaultFolder(home)).isEqualTo(place);
    assertThat(subject("a=2").defaultFolder(home)).isNotEqualTo(place);
    assertThat(subject("a=1").defaultFolder(Map.of("HOME", "/home/me")).toString())
        .startsWith("/home/me/.local/state/stepwell/runs/replay-");
  }
}
