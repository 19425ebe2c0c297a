import dev.stepwell.cli.log.LogCounts;
import dev.stepwell.cli.log.LogOrigin;
import dev.stepwell.cli.log.LogWriter;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.StepKind;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.codec.MessageCodec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Writes a log as if a farm had published one-shots all at once and got their results one after the
 * other: the results of the first requests come behind the last request. Every hundred-thousandth
 * result is not what a worker that prints its source will say.
 *
 * <p>Arguments: the file, and how many.
 */
public final class MillionLog {
  private static final int PARTITIONS = 4;
  private static final int ODD = 100_000;

  private MillionLog() {}

  public static void main(String[] arguments) throws Exception {
    int count = Integer.parseInt(arguments[1]);
    MessageCodec codec = new MessageCodec();
    long start = 1_700_000_000_000L;
    LogOrigin origin = new LogOrigin("none", "stepwell", PARTITIONS, "0", "end");
    try (LogWriter log = LogWriter.create(Path.of(arguments[0]), start, origin, List.of(), true)) {
      for (int i = 0; i < count; i++) {
        byte[] message = codec.encode(request(i));
        log.request(start + i / 1000, i % PARTITIONS, i / PARTITIONS, "q" + i, message, List.of());
      }
      for (int i = 0; i < count; i++) {
        log.result(start + i, i % PARTITIONS, i / PARTITIONS, "q" + i, codec.encode(result(i)));
      }
      log.counts(new LogCounts(0, 0, 0, false));
    }
  }

  private static String source(int i) {
    return "print(" + i + ")";
  }

  private static ExecutionRequest request(int i) {
    return new ExecutionRequest(
        "q" + i,
        null,
        StepKind.PYTHON,
        source(i),
        List.of(),
        null,
        null,
        RequestLimits.DEFAULTS,
        Map.of(),
        null,
        null);
  }

  private static ExecutionResult result(int i) {
    return new ExecutionResult(
        "q" + i,
        null,
        null,
        Outcome.COMPLETED,
        0,
        null,
        i % ODD == ODD - 1 ? "odd" : source(i),
        "",
        Truncation.NONE,
        null,
        null,
        null,
        null,
        new Timings(10, 1, 1, 10, 1, 1),
        Usage.NONE,
        "recorded",
        "sandbox-" + i,
        1);
  }
}
