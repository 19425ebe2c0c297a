package dev.stepwell.worker.runner;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The runner's Python source, as it lies beside this class. Immutable. */
final class RunnerSource {
  private static final String PACKAGE = "stepwell_runner";
  private static final List<String> MODULES =
      List.of(
          "arrays",
          "by_value",
          "caps",
          "claims",
          "classes",
          "depth",
          "descriptors",
          "display",
          "displays",
          "drafts",
          "failure",
          "file_entries",
          "file_report",
          "file_scan",
          "file_watch",
          "folders",
          "frames",
          "hiding",
          "library_settings",
          "loader",
          "logging_settings",
          "losses",
          "lost",
          "mapping",
          "moments",
          "net",
          "packing",
          "patches",
          "pickling",
          "pieces",
          "processes",
          "products",
          "program",
          "python_step",
          "reach",
          "rebuild",
          "refusals",
          "resources",
          "salvage",
          "saving",
          "session",
          "sets",
          "settings",
          "sink",
          "step_module",
          "step_pipes",
          "step_process",
          "streams",
          "supervisor",
          "suspended",
          "table",
          "unpickling",
          "warning_settings",
          "workspace");

  private RunnerSource() {}

  /** What an interpreter is started with to compile the runner. */
  static String compiler() {
    return text("compiler.py");
  }

  /** What an interpreter is started with to become a runner. */
  static String bootstrap() {
    return text("bootstrap.py");
  }

  /** Every module by its name, as the compiler reads them. */
  static byte[] modules() {
    Fields.Writer modules =
        new Fields.Writer()
            .add("loader", text("loader.py"))
            .add(PACKAGE, text(PACKAGE + "/__init__.py"));
    for (String module : MODULES) {
      modules.add(PACKAGE + "." + module, text(PACKAGE + "/" + module + ".py"));
    }
    return modules.payload();
  }

  private static String text(String name) {
    try (InputStream resource = RunnerSource.class.getResourceAsStream(name)) {
      if (resource == null) {
        throw new IllegalStateException("the worker's jar lacks the runner's " + name);
      }
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the worker's jar can't be read at the runner's " + name, e);
    }
  }
}
