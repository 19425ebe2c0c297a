package dev.stepwell.worker.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunnerSourceTest {
  @Test
  void modules_areAllThatTheFolderHolds() throws Exception {
    var folder = RunnerSource.class.getResource("stepwell_runner/__init__.py");
    Path path = Path.of(Objects.requireNonNull(folder).toURI()).getParent();
    List<String> names;
    try (Stream<Path> files = Files.list(Objects.requireNonNull(path))) {
      names =
          files
              .map(file -> String.valueOf(file.getFileName()))
              .filter(name -> name.endsWith(".py") && !name.startsWith("__"))
              .map(name -> "stepwell_runner." + name.substring(0, name.length() - 3))
              .toList();
    }
    List<String> packed = Fields.parse(RunnerSource.modules()).namesAfter("stepwell_runner.");

    assertThat(names)
        .containsExactlyInAnyOrderElementsOf(
            packed.stream().map(name -> "stepwell_runner." + name).toList());
  }
}
