import dev.stepwell.cli.local.BackendName;
import dev.stepwell.cli.local.LocalOptions;
import dev.stepwell.cli.local.LocalStack;
import dev.stepwell.client.Results;
import dev.stepwell.client.Session;
import dev.stepwell.client.Step;
import dev.stepwell.client.Stepwell;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Timings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What a session of 220 MB adds to a step, against an empty session, in one run.
 *
 * <p>Steps of both sessions take turns, so that whatever else the machine does meets both. Run by
 * benchmarks/state, in the profile {@code data}, whose sandboxes have numpy and pandas imported.
 */
public final class StateBench {
  private static final int ROUNDS = Integer.getInteger("rounds", 50);

  /** Between two steps, so that the pool has started another sandbox. */
  private static final long PAUSE_MS = Long.getLong("pause", 1000);
  private static final long MEMORY = 1L << 30;
  private static final long STATE = 256L << 20;

  private static final Path CLOUDPICKLE = Path.of("/usr/lib/python3/dist-packages/cloudpickle");

  private static final String LARGE =
      """
      import numpy as np, pandas as pd
      n = 0
      array = np.random.default_rng(1).random(12_500_000)
      frame = pd.DataFrame(np.random.default_rng(2).random((2_500_000, 5)), columns=list('abcde'))
      table = {i: [i, i / 7, str(i)] for i in range(300_000)}
      """;

  private static final String WHOLE =
      """
      import time
      import cloudpickle, pickle
      known = {name: value for name, value in globals().items() if not name.startswith('__')}
      start = time.perf_counter()
      data = cloudpickle.dumps(known)
      middle = time.perf_counter()
      pickle.loads(data)
      end = time.perf_counter()
      print(f'{(middle - start) * 1e3:.0f} ms to dump {len(data) / 1e6:.0f} MB,'
            f' {(end - middle) * 1e3:.0f} ms to load it')
      """;

  private StateBench() {}

  public static void main(String[] arguments) throws Exception {
    BackendName backend =
        arguments.length > 0 && arguments[0].equals("docker")
            ? BackendName.DOCKER
            : BackendName.BUBBLEWRAP;
    try (LocalStack stack = LocalStack.start(LocalOptions.temporary(backend, List.of("data"), 2));
        Stepwell client =
            Stepwell.builder(stack.bootstrap()).answerTimeout(Duration.ofMinutes(5)).connect()) {
      Session empty = client.newSession();
      run(empty, "import numpy as np, pandas as pd\nn = 0");
      Session large = client.newSession();
      ExecutionResult made = run(large, LARGE);
      System.out.printf(
          "large session: %.1f MB, saved in %.0f ms, %.1f MB stored%n",
          made.state().bytes() / 1e6, made.timings().savedMs(), made.state().newBytes() / 1e6);
      Map<String, String> steps = new LinkedHashMap<>();
      steps.put("n += 1", "n += 1");
      steps.put("array[i] = 1", "array[%d] = 1");
      steps.put("array[i]", "x = array[%d]");
      for (Map.Entry<String, String> step : steps.entrySet()) {
        compare(step.getKey(), step.getValue(), empty, large);
      }
      bringCloudpickle(large);
      System.out.println(
          "whole namespace by cloudpickle, in one step: " + run(large, WHOLE).stdout().strip());
    }
  }

  /** The machine's own copy, which the sandboxes have not. */
  private static void bringCloudpickle(Session session) throws IOException {
    Map<String, byte[]> files = new HashMap<>();
    try (DirectoryStream<Path> sources = Files.newDirectoryStream(CLOUDPICKLE, "*.py")) {
      for (Path source : sources) {
        files.put("cloudpickle/" + source.getFileName(), Files.readAllBytes(source));
      }
    }
    session.files().put(files);
  }

  private static ExecutionResult run(Session session, String source) {
    return Results.orThrow(
        session.run(Step.python(source).profile("data").memoryBytes(MEMORY).stateBytes(STATE)));
  }

  private static void compare(String name, String source, Session empty, Session large)
      throws InterruptedException {
    List<Sample> base = new ArrayList<>();
    List<Sample> with = new ArrayList<>();
    for (int i = 0; i < ROUNDS + ROUNDS / 10; i++) {
      Sample plain = sample(empty, "n += 1");
      Sample heavy = sample(large, source.formatted(i * 55_555L % 12_500_000L));
      if (i >= ROUNDS / 10) {
        base.add(plain);
        with.add(heavy);
      }
    }
    System.out.printf(
        "%-14s added p50 %5.2f ms, p90 %5.2f ms (sandbox's part p50 %5.2f ms); empty session p50"
            + " %5.2f ms; stores p50 %.0f bytes%n",
        name,
        added(base, with, Sample::totalMs, 0.5),
        added(base, with, Sample::totalMs, 0.9),
        added(base, with, Sample::sandboxMs, 0.5),
        quantile(base.stream().map(Sample::totalMs).toList(), 0.5),
        quantile(with.stream().map(each -> (double) each.newBytes()).toList(), 0.5));
  }

  /** One step as its client saw it, and the part of it that was restoring, running and saving. */
  private record Sample(double totalMs, double sandboxMs, long newBytes) {}

  private static Sample sample(Session session, String source) throws InterruptedException {
    Thread.sleep(PAUSE_MS);
    long start = System.nanoTime();
    ExecutionResult result = run(session, source);
    double totalMs = (System.nanoTime() - start) / 1e6;
    Timings timings = result.timings();
    return new Sample(
        totalMs,
        timings.restoredMs() + timings.ranMs() + timings.savedMs(),
        result.state().newBytes());
  }

  /** The difference of the two sessions' quantiles. */
  private static double added(
      List<Sample> base, List<Sample> with, ToDoubleFunction<Sample> part, double at) {
    return quantile(with.stream().map(part::applyAsDouble).toList(), at)
        - quantile(base.stream().map(part::applyAsDouble).toList(), at);
  }

  private static double quantile(List<Double> values, double at) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(sorted.size() * at)));
  }
}
