package dev.stepwell.protocol.codec;

import dev.stepwell.protocol.CancelRequest;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.HistoryEntry;
import dev.stepwell.protocol.LostValue;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.ResultError;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import dev.stepwell.protocol.SnapshotReference;
import dev.stepwell.protocol.StateReport;
import dev.stepwell.protocol.StateSize;
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
  private final RandomFiles files;

  RandomMessages(long seed) {
    random = new SplittableRandom(seed);
    files = new RandomFiles(this, random);
  }

  Request request() {
    return random.nextBoolean() ? execution() : sessionRequest();
  }

  private ExecutionRequest execution() {
    String session = maybe(this::id);
    StepKind kind = pick(StepKind.values());
    boolean argv = kind == StepKind.ARGV;
    return new ExecutionRequest(
        id(),
        session,
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
        maybe(this::name),
        files.inputs(0),
        list(3, files::path),
        random.nextBoolean(),
        session == null ? maybe(this::reference) : null,
        kind == StepKind.PYTHON ? maybe(() -> "p" + text()) : null);
  }

  private SessionRequest sessionRequest() {
    SessionOperation operation = operation();
    return new SessionRequest(
        id(),
        operation.readsReference() ? maybe(this::id) : id(),
        operation,
        maybe(this::count),
        maybe(this::name));
  }

  private SessionOperation operation() {
    return switch (random.nextInt(9)) {
      case 0 -> new SessionOperation.Fork(reference(), random.nextBoolean());
      case 1 -> new SessionOperation.Locate(maybe(this::step));
      case 2 -> new SessionOperation.History(limit(), maybe(this::step));
      case 3 -> new SessionOperation.Reset();
      case 4 -> new SessionOperation.End();
      case 5 -> new SessionOperation.PutFiles(files.inputs(1));
      case 6 ->
          new SessionOperation.GetFile(
              files.path(), count(), random.nextInt(1, 524_289), maybe(this::reference));
      case 7 ->
          new SessionOperation.ListFiles(
              text().replace("\0", ""), maybe(files::path), limit(), maybe(this::reference));
      default -> new SessionOperation.RemoveFiles(List.of(files.path(), files.path()));
    };
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
        maybe(this::value),
        list(3, this::value),
        maybe(() -> new ExceptionReport(text(), text(), text(), maybe(random::nextInt))),
        maybe(
            () ->
                new ResultError(
                    pick(ErrorCode.values()), text(), maybe(this::text), random.nextBoolean())),
        maybe(this::state),
        list(3, files::artifact),
        maybe(this::sessionAnswer),
        new Timings(time(), time(), time(), time(), time(), time()),
        new Usage(maybe(this::time), maybe(this::count), pick("cgroup", "rlimit", "none")),
        text(),
        maybe(this::text),
        random.nextInt(1, Integer.MAX_VALUE));
  }

  private Value value() {
    return new Value(text(), text(), texts());
  }

  private SessionAnswer sessionAnswer() {
    return switch (random.nextInt(4)) {
      case 0 -> new SessionAnswer.Located(reference(), count());
      case 1 -> new SessionAnswer.History(list(3, this::historyEntry), random.nextBoolean());
      case 2 -> new SessionAnswer.Files(reference(), list(3, files::entry), random.nextBoolean());
      default -> new SessionAnswer.Content(reference(), files.entry(), count(), files.content());
    };
  }

  private HistoryEntry historyEntry() {
    return new HistoryEntry(
        step(),
        maybe(this::sha256),
        id(),
        pick(Outcome.values()),
        count(),
        count(),
        random.nextBoolean());
  }

  Head head() {
    return new Head(
        count(),
        count(),
        list(Head.RECENT_REQUESTS, this::text),
        maybe(
            () ->
                new SnapshotReference(
                    sha256(),
                    random.nextInt(1 << 20),
                    count(),
                    random.nextInt(1, 1 << 20),
                    random.nextInt(1 << 20),
                    random.nextInt(1, 1 << 20),
                    count(),
                    new StateSize(
                        count(), random.nextInt(1 << 20), random.nextInt(1 << 20), count()))),
        random.nextBoolean());
  }

  CancelRequest cancel() {
    return new CancelRequest(id(), maybe(this::id));
  }

  private StateReport state() {
    return new StateReport(
        maybe(this::sha256),
        random.nextBoolean(),
        count(),
        count(),
        random.nextInt(1 << 20),
        list(3, () -> new LostValue(text(), text(), text(), text(), maybe(this::text))),
        random.nextInt(1 << 20),
        count());
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
  String text() {
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

  private String reference() {
    return "s" + id();
  }

  private long step() {
    return random.nextLong(1, Long.MAX_VALUE);
  }

  private int limit() {
    return random.nextInt(1, 1001);
  }

  String sha256() {
    return "%016x".formatted(random.nextLong()).repeat(4);
  }

  long count() {
    return random.nextLong(0, pick(2L, 1L << 32, Long.MAX_VALUE));
  }

  private double time() {
    return random.nextDouble(0, pick(1.0, 1e3, 1e12));
  }

  <T> @Nullable T maybe(Supplier<T> value) {
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
  final <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
