package dev.stepwell.protocol.codec;

import dev.stepwell.protocol.CancelRequest;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.ResultError;
import dev.stepwell.protocol.SnapshotReference;
import dev.stepwell.protocol.StateReport;
import dev.stepwell.protocol.StepKind;
import dev.stepwell.protocol.Timings;
import dev.stepwell.protocol.Truncation;
import dev.stepwell.protocol.Usage;
import dev.stepwell.protocol.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes valid messages of every shape out of a seed; owned by the test's thread. */
final class RandomMessages {
  private final SplittableRandom random;

  RandomMessages(long seed) {
    random = new SplittableRandom(seed);
  }

  ExecutionRequest request() {
    StepKind kind = pick(StepKind.values());
    boolean argv = kind == StepKind.ARGV;
    return new ExecutionRequest(
        id(),
        maybe(this::id),
        kind,
        argv ? null : "s" + (kind == StepKind.SHELL ? text().replace("\0", "") : text()),
        argv ? arguments() : List.of(),
        maybe(this::text),
        maybe(this::name),
        new RequestLimits(
            maybe(() -> random.nextLong(1, Long.MAX_VALUE)),
            maybe(() -> random.nextLong(1 << 20, Long.MAX_VALUE)),
            maybe(this::count),
            maybe(this::count)),
        environment(),
        maybe(this::count),
        maybe(this::name));
  }

  ExecutionResult result() {
    return new ExecutionResult(
        id(),
        maybe(this::id),
        maybe(() -> random.nextLong(1, Long.MAX_VALUE)),
        pick(Outcome.values()),
        maybe(() -> random.nextInt(256)),
        maybe(this::text),
        text(),
        text(),
        new Truncation(count(), count()),
        maybe(() -> new Value(text(), text(), texts())),
        maybe(() -> new ExceptionReport(text(), text(), text(), maybe(random::nextInt))),
        maybe(
            () ->
                new ResultError(
                    pick(ErrorCode.values()), text(), maybe(this::text), random.nextBoolean())),
        maybe(this::state),
        new Timings(time(), time(), time(), time(), time(), time()),
        new Usage(maybe(this::time), maybe(this::count), pick("cgroup", "rlimit", "none")),
        text(),
        maybe(this::text),
        random.nextInt(1, Integer.MAX_VALUE));
  }

  Head head() {
    return new Head(
        count(),
        count(),
        list(Head.RECENT_REQUESTS, this::text),
        maybe(
            () ->
                new SnapshotReference(
                    sha256(), count(), random.nextInt(1 << 20), list(8, this::count))));
  }

  CancelRequest cancel() {
    return new CancelRequest(id(), maybe(this::id));
  }

  private StateReport state() {
    return new StateReport(
        maybe(this::sha256),
        random.nextBoolean(),
        count(),
        random.nextInt(1 << 20),
        list(3, () -> new LostValue(text(), text(), text(), text(), maybe(this::text))));
  }

  private List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("program");
    arguments.addAll(list(5, () -> text().replace("\0", "")));
    return arguments;
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      environment.put("V_" + random.nextInt(1000), text().replace("\0", ""));
    }
    return environment;
  }

  private Map<String, String> texts() {
    Map<String, String> texts = new HashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      texts.put(text(), text());
    }
    return texts;
  }

  /** Any characters that Unicode has, control characters and those beyond 16 bits among them. */
  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(20); i > 0; i--) {
      int bound = pick(0x20, 0x7f, 0x800, 0xd800, Character.MAX_CODE_POINT + 1);
      int point = random.nextInt(bound);
      boolean surrogate = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
      text.appendCodePoint(surrogate ? 'x' : point);
    }
    return text.toString();
  }

  private String id() {
    StringBuilder id = new StringBuilder();
    for (int i = random.nextInt(1, 129); i > 0; i--) {
      id.append((char) random.nextInt(0x21, 0x7f));
    }
    return id.toString();
  }

  private String name() {
    return "a.B_-" + random.nextInt(1000);
  }

  private String sha256() {
    return "%016x".formatted(random.nextLong()).repeat(4);
  }

  private long count() {
    return random.nextLong(0, pick(2L, 1L << 32, Long.MAX_VALUE));
  }

  private double time() {
    return random.nextDouble(0, pick(1.0, 1e3, 1e12));
  }

  private <T> @Nullable T maybe(Supplier<T> value) {
    return random.nextBoolean() ? value.get() : null;
  }

  private <T> List<T> list(int most, Supplier<T> element) {
    List<T> list = new ArrayList<>();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      list.add(element.get());
    }
    return list;
  }

  @SafeVarargs
  private <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
