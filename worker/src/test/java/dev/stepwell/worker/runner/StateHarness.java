package dev.stepwell.worker.runner;

import dev.stepwell.protocol.StepKind;
import dev.stepwell.worker.sandbox.StepLimits;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** Runs steps with state in scripted sandboxes. */
abstract class StateHarness {
  static final long NEVER_MS = 3_600_000;
  static final RunnerTimeouts PATIENT =
      new RunnerTimeouts(NEVER_MS, NEVER_MS, NEVER_MS, NEVER_MS, NEVER_MS);

  final ScriptedSandbox sandbox = new ScriptedSandbox();
  private final Watchdog watchdog = new Watchdog();

  @AfterEach
  void stopWatchdog() {
    watchdog.close();
  }

  StepReport run(StateFixture state) throws Exception {
    return run(sandbox, state, PATIENT);
  }

  StepReport run(ScriptedSandbox in, StateFixture state, RunnerTimeouts timeouts) throws Exception {
    return run(in, state.state(), timeouts);
  }

  StepReport run(ScriptedSandbox in, StepState state, RunnerTimeouts timeouts) throws Exception {
    StepLimits.Bounds limits = new StepLimits.Bounds(NEVER_MS, 0, 1000, 2000);
    StepTask task =
        new StepTask(StepKind.PYTHON, 7, "1", List.of(), new byte[0], Map.of(), limits, state);
    boolean places = in.pieceFolder() != null;
    return new ReadyRunner(in, new FrameChannel(in), watchdog, timeouts, places)
        .run(task, () -> {});
  }

  /** A sandbox that has begun its step. */
  static ScriptedSandbox begun() {
    return new ScriptedSandbox().says('A');
  }

  /** A sandbox whose step has come to its end, and is about to be saved. */
  static ScriptedSandbox saving() {
    return begun().says('V', "ending", "completed");
  }

  static byte[] numbers(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length);
    for (int value : values) {
      bytes.putInt(value);
    }
    return bytes.array();
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
