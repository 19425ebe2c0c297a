package dev.stepwell.cli.replay;

import dev.stepwell.cli.compare.Difference;
import dev.stepwell.cli.log.RecordedRequest;
import dev.stepwell.cli.run.CourierException;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.ResultError;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Says what came of requests and has it recorded; its methods are for the thread that drives the
 * replay, but the work is done on threads of its own: one for what can be told at once, several for
 * what must be looked up in sessions, which wait for their answers most of the time.
 */
final class Judge implements AutoCloseable {
  private static final int LOOKUPS = 16;
  private static final int MAX_UNDER_WAY = 4_000;
  private static final int CODE_CHARACTERS = 4_000;

  private final Comparer comparer;
  private final RequestMapper mapper;
  private final Recorder recorder;
  private final Consumer<Throwable> onFailure;
  private final Semaphore places = new Semaphore(MAX_UNDER_WAY);
  private final ExecutorService quick;
  private final ExecutorService lookups;

  /**
   * A judge.
   *
   * @param onFailure told where something can't be judged or recorded for a fault of ours
   */
  Judge(Comparer comparer, RequestMapper mapper, Recorder recorder, Consumer<Throwable> onFailure) {
    this.comparer = comparer;
    this.mapper = mapper;
    this.recorder = recorder;
    this.onFailure = onFailure;
    quick = Executors.newSingleThreadExecutor(task -> daemon(task, "replay compares"));
    lookups = Executors.newFixedThreadPool(LOOKUPS, task -> daemon(task, "replay looks up states"));
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** A case has all that it will have. Blocks while too many are being compared. */
  void judge(Case each) throws InterruptedException {
    later(each, statesDiffer(each) ? lookups : quick, () -> judged(each));
  }

  void copied(Case each) throws InterruptedException {
    later(each, quick, () -> finding(each, Verdict.COPY, null, List.of()));
  }

  void skipped(Case each, String reason) throws InterruptedException {
    later(each, quick, () -> finding(each, Verdict.SKIPPED, reason, List.of()));
  }

  void unreadable(RecordedRequest recorded) {
    Finding finding = Finding.unreadable(recorded.ordinal(), recorded.problem());
    recorder.record(finding, finding.id());
  }

  private void later(Case each, ExecutorService threads, java.util.function.Supplier<Finding> work)
      throws InterruptedException {
    places.acquire();
    threads.execute(
        () -> {
          try {
            recorder.record(work.get(), each.replayName());
            comparer.recorded();
          } catch (RuntimeException | Error e) {
            onFailure.accept(e);
          } finally {
            places.release();
          }
        });
  }

  private static boolean statesDiffer(Case each) {
    String recorded = each.result == null ? null : snapshot(each.result.result());
    String replayed = each.answer == null ? null : snapshot(each.answer.result());
    return recorded != null && replayed != null && !recorded.equals(replayed);
  }

  private static @Nullable String snapshot(ExecutionResult result) {
    return result.state() == null ? null : result.state().snapshot();
  }

  private Finding judged(Case each) {
    if (each.answer == null) {
      CourierException failure = each.failure;
      boolean unreadable = failure != null && failure.kind() == CourierException.Kind.UNREADABLE;
      return finding(
          each,
          unreadable ? Verdict.NOT_COMPARED : Verdict.COULD_NOT_RUN,
          failure == null ? "no answer" : unreadable ? "unreadable result" : "refused by Kafka",
          List.of());
    }
    ExecutionResult replayed = each.answer.result();
    String obstacle = obstacle(each, replayed);
    if (obstacle != null) {
      return finding(each, Verdict.COULD_NOT_RUN, obstacle, List.of());
    }
    if (each.result == null) {
      return finding(each, Verdict.NOT_COMPARED, "no recorded result", List.of());
    }
    List<Difference> differences = comparer.compare(each.request, each.result.result(), replayed);
    return finding(
        each, differences.isEmpty() ? Verdict.SAME : Verdict.DIFFERENT, null, differences);
  }

  /** Why a request didn't run here, unless it was answered so in the recording too. */
  private @Nullable String obstacle(Case each, ExecutionResult replayed) {
    ExecutionResult recorded = each.result == null ? null : each.result.result();
    boolean sameThen =
        recorded != null
            && recorded.outcome() == replayed.outcome()
            && code(recorded) == code(replayed);
    if (sameThen) {
      return null;
    }
    if (replayed.outcome() == Outcome.INFRASTRUCTURE) {
      return "infrastructure: " + code(replayed);
    }
    if (replayed.outcome() == Outcome.REJECTED && code(replayed) == ErrorCode.UNKNOWN_PROFILE) {
      String profile =
          each.request instanceof ExecutionRequest step ? mapper.profile(step.profile()) : null;
      return "there is no profile " + (profile == null ? "by default" : profile) + " here";
    }
    return null;
  }

  private static @Nullable ErrorCode code(ExecutionResult result) {
    ResultError error = result.error();
    return error == null ? null : error.code();
  }

  private Finding finding(
      Case each, Verdict verdict, @Nullable String reason, List<Difference> differences) {
    ExecutionResult recorded = each.result == null ? null : each.result.result();
    ExecutionResult replayed = each.answer == null ? null : each.answer.result();
    return new Finding(
        each.ordinal(),
        each.id(),
        each.copy,
        each.request.sessionId(),
        each.step(),
        verdict,
        reason,
        Finding.types(differences),
        differences,
        each.answer == null ? null : timings(recorded, each.answer),
        mapper.stillWithheld(each.recorded),
        recorded == null ? null : RecordedReferences.told(recorded),
        replayed == null ? null : RecordedReferences.told(replayed),
        verdict == Verdict.DIFFERENT ? code(each) : null);
  }

  private static CaseTimings timings(
      @Nullable ExecutionResult recorded, dev.stepwell.cli.run.Answer answer) {
    return new CaseTimings(
        recorded == null ? null : CaseTimings.Spent.of(recorded),
        CaseTimings.Spent.of(answer.result()),
        answer.answeredAtMs());
  }

  private static @Nullable String code(Case each) {
    if (!(each.request instanceof ExecutionRequest step)) {
      return null;
    }
    String code = step.source() == null ? String.join(" ", step.argv()) : step.source();
    return code.length() <= CODE_CHARACTERS ? code : code.substring(0, CODE_CHARACTERS) + "…";
  }

  /** Waits until everything is recorded. */
  void awaitAll() throws InterruptedException {
    places.acquire(MAX_UNDER_WAY);
    places.release(MAX_UNDER_WAY);
  }

  /** Drops what isn't judged yet. */
  @Override
  public void close() {
    quick.shutdownNow();
    lookups.shutdownNow();
  }
}
