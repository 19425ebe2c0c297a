package dev.stepwell.cli.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.cli.process.CommandException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TaskFilesTest {
  private static final TaskLimits NO_LIMITS = new TaskLimits(null, null);
  private static final Path STARTER = Path.of("..", "tasks", "starter.jsonl");

  @TempDir private Path folder;

  @Test
  void starterTasks_areThirtyOfSeveralKinds() {
    List<Task> tasks = JsonlTasks.read(STARTER, NO_LIMITS);
    assertThat(tasks).hasSize(30);
    assertThat(tasks.stream().filter(task -> task.steps().size() > 1).count()).isGreaterThan(5);
    assertThat(
            tasks.stream()
                .filter(task -> task.id().startsWith("fails/"))
                .flatMap(task -> task.steps().stream())
                .map(step -> step.expectation().outcomes().toString()))
        .contains("[FAILED]", "[EXITED]", "[TIMED_OUT]", "[CRASHED]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'id':'a'} | field 'steps' must be an array",
        "{'id':'a','steps':[]} | must be an array that is not empty",
        "{'steps':['1']} | field 'id' is missing",
        "{'id':'a','steps':['1'],'expects':{}} | unknown field 'expects'",
        "{'id':'a','steps':[{'source':'1','shell':'1'}]} | exactly one of",
        "{'id':'a','steps':[{}]} | exactly one of",
        "{'id':'a','steps':['1'],'expect':{'outcome':'OK'}} | there is no outcome OK",
        "{'id':'a','steps':['1'],'expect':{'stdin':'x'}} | unknown field 'stdin'",
        "{'id':'a','steps':['1'],'expect':{'exitCode':'0'}} | must be an integer",
        "{'id':'a','steps':[{'source':'1','expect':{}}],'expect':{}} | both have 'expect'",
        "{'id':'a','id':'b','steps':['1']} | no JSON",
        "[1] | no JSON object",
      })
  void wrongTask_isRefusedWithItsPlace(String line, String fault) throws IOException {
    Path file = Files.writeString(folder.resolve("tasks"), "\n" + line.replace('\'', '"') + "\n");
    assertThatThrownBy(() -> JsonlTasks.read(file, NO_LIMITS))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("tasks line 2")
        .hasMessageContaining(fault);
  }

  @Test
  void idTwice_isRefused() throws IOException {
    String line = "{\"id\":\"a\",\"steps\":[\"1\"]}\n";
    Path file = Files.writeString(folder.resolve("tasks"), line + line);
    assertThatThrownBy(() -> JsonlTasks.read(file, NO_LIMITS))
        .hasMessageContaining("a is there twice");
  }

  @Test
  void missingFile_isNamed() {
    Path file = folder.resolve("none");
    assertThatThrownBy(() -> JsonlTasks.read(file, NO_LIMITS))
        .hasMessage("there is no file " + file);
  }

  @Test
  void humanEvalFile_isReadCompressedOrNot() throws IOException {
    Path plain = Files.writeString(folder.resolve("plain"), humanEval("T/0") + humanEval("T/1"));
    Path compressed = folder.resolve("compressed");
    try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(compressed))) {
      gzip.write(Files.readString(plain).getBytes(StandardCharsets.UTF_8));
    }
    assertThat(HumanEvalTasks.read(plain, null, NO_LIMITS))
        .extracting(Task::id)
        .containsExactly("T/0", "T/1");
    assertThat(HumanEvalTasks.read(compressed, null, NO_LIMITS)).hasSize(2);
  }

  @Test
  void samples_takeThePlaceOfSolutions() throws IOException {
    Path tasks =
        Files.writeString(
            folder.resolve("tasks"), humanEval("T/0") + humanEval("T/1") + humanEval("T/2"));
    Path samples =
        Files.writeString(folder.resolve("samples"), sample("T/1") + sample("T/0") + sample("T/1"));
    assertThat(HumanEvalTasks.read(tasks, samples, NO_LIMITS))
        .extracting(Task::id)
        .containsExactly("T/0", "T/1#1", "T/1#2");
  }

  @Test
  void sampleOfAnUnknownTask_isRefused() throws IOException {
    Path tasks = Files.writeString(folder.resolve("tasks"), humanEval("T/0"));
    Path samples = Files.writeString(folder.resolve("samples"), sample("T/9"));
    assertThatThrownBy(() -> HumanEvalTasks.read(tasks, samples, NO_LIMITS))
        .hasMessageContaining("samples line 1")
        .hasMessageContaining("T/9");
  }

  private static String humanEval(String id) {
    return "{\"task_id\":\"%s\",\"prompt\":\"def f():\\n\",\"canonical_solution\":\"    return 1\\n\",\"test\":\"def check(f):\\n    assert f() == 1\\n\",\"entry_point\":\"f\"}\n"
        .formatted(id);
  }

  private static String sample(String id) {
    return "{\"task_id\":\"%s\",\"completion\":\"    return None\\n\"}\n".formatted(id);
  }
}
