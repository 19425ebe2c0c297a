package dev.stepwell.cli.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.cli.process.CommandException;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.FileInput;
import dev.stepwell.protocol.RequestLimits;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
        "{'id':'a','steps':[1]} | a step must be a string or an object",
        "{'id':'a','steps':[' ']} | source is empty",
        "{'id':'a','steps':['1'],'wallTimeMs':0} | limits.wallTimeMs",
        "{'id':'a','steps':[{'source':'1','memoryBytes':5}]} | limits.memoryBytes",
        "{'id':'a','steps':['1'],'environment':{'A B':'1'}} | environment",
        "{'id':'a','steps':['1'],'environment':{'A':1}} | must be a string",
        "{'id':'a','steps':['1'],'files':{'../x':'1'}} | ..",
        "{'id':'a','steps':[{'shell':'1','prelude':'1'}]} | goes with 'source' alone",
        "{'id':'a','steps':['1'],'repeatable':1} | must be true or false",
        "{'id':'a','steps':['1'],'check':['1']} | goes with 'candidates'",
        "{'id':'a','steps':['1'],'candidates':[['1']]} | can't both be there",
        "{'id':'a','candidates':[]} | must be an array that is not empty",
        "{'id':'a','candidates':['1']} | must be an array that is not empty",
        "{'id':'a','candidates':[['1']],'reseed':true} | goes with 'prepare'",
        "{'id':'a','candidates':[['1']],'prepare':[]} | must be an array that is not empty",
        "{'id':'a','candidates':[[{'source':'1','expect':{}}]],'expect':{}} | both have 'expect'",
      })
  void wrongTask_isRefusedWithItsPlace(String line, String fault) throws IOException {
    Path file = Files.writeString(folder.resolve("tasks"), "\n" + line.replace('\'', '"') + "\n");
    assertThatThrownBy(() -> JsonlTasks.read(file, NO_LIMITS))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("tasks line 2")
        .hasMessageContaining(fault);
  }

  @Test
  void forkTasks_areReadWithAllTheirParts() {
    List<Task> tasks = JsonlTasks.read(Path.of("..", "tasks", "forks.jsonl"), NO_LIMITS);
    assertThat(tasks).hasSizeGreaterThan(4).allMatch(Task::bestOf);
    assertThat(tasks).anyMatch(Task::reseed).anyMatch(task -> task.prepare().isEmpty());
  }

  @Test
  void step_hasItsTasksLimits_unlessItSaysOtherwise() throws IOException {
    String line =
        "{'id':'a','wallTimeMs':1000,'memoryBytes':2000000,'profile':'data','prelude':'p = 1',"
            + "'environment':{'A':'1','B':'2'},'files':{'in.txt':'text'},"
            + "'steps':['1',{'source':'2','wallTimeMs':5,'outputBytes':7,'stateBytes':8,"
            + "'environment':{'B':'3'},'prelude':'p = 2'},{'shell':'3','profile':'plain'}]}";
    Path file = Files.writeString(folder.resolve("tasks"), line.replace('\'', '"'));
    TaskLimits limits = new TaskLimits(Duration.ofSeconds(9), "from-the-command");

    List<ExecutionRequest> steps =
        JsonlTasks.read(file, limits).get(0).steps().stream().map(Task.TaskStep::what).toList();

    ExecutionRequest first = steps.get(0);
    assertThat(first.limits()).isEqualTo(new RequestLimits(1000L, 2000000L, null, null));
    assertThat(first.profile()).isEqualTo("data");
    assertThat(first.prelude()).isEqualTo("p = 1");
    assertThat(first.environment()).isEqualTo(Map.of("A", "1", "B", "2"));
    assertThat(first.files()).extracting(FileInput::path).containsExactly("in.txt");
    ExecutionRequest second = steps.get(1);
    assertThat(second.limits()).isEqualTo(new RequestLimits(5L, 2000000L, 7L, 8L));
    assertThat(second.environment()).isEqualTo(Map.of("A", "1", "B", "3"));
    assertThat(second.prelude()).isEqualTo("p = 2");
    assertThat(second.files()).isEmpty();
    assertThat(steps.get(2).profile()).isEqualTo("plain");
    assertThat(steps.get(2).prelude()).isNull();
  }

  @Test
  void expectationOfATaskWithCandidates_isOfTheLastStepThatRuns() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("tasks"),
            """
            {"id":"a","candidates":[["1","2"]],"check":["3","4"],"expect":{"value":"4"}}
            {"id":"b","candidates":[["1","2"],["2"]],"expect":{"value":"2"}}
            """);
    List<Task> tasks = JsonlTasks.read(file, NO_LIMITS);
    assertThat(tasks.get(0).steps())
        .extracting(step -> step.expectation().value())
        .containsExactly(null, null, null, "4");
    assertThat(tasks.get(1).steps())
        .extracting(step -> step.expectation().value())
        .containsExactly(null, "2", "2");
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
    List<Task> read = HumanEvalTasks.read(tasks, samples, NO_LIMITS);
    assertThat(read).extracting(Task::id).containsExactly("T/0", "T/1#1", "T/1#2");
    assertThat(read).extracting(Task::group).containsExactly("T/0", "T/1", "T/1");
    assertThat(read).extracting(Task::sample).containsExactly(1, 1, 2);
    assertThat(SampleCounts.of(read)).isEqualTo(new SampleCounts(1, 2));
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
