package dev.stepwell.worker.execution;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.ResultError;
import dev.stepwell.protocol.SessionRequest;
import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.protocol.codec.RequestSalvage;
import dev.stepwell.worker.commit.Answer;
import dev.stepwell.worker.commit.Outgoing;
import dev.stepwell.worker.snapshot.SnapshotStore;
import dev.stepwell.worker.state.SnapshotException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a request through decoding, admission and its step to an answer. Immutable and thread-safe;
 * blocks the calling slot thread.
 */
public final class RequestRunner implements StepExecutor {
  private static final Logger log = LoggerFactory.getLogger(RequestRunner.class);

  private final ExecutionSettings settings;
  private final MessageCodec codec;
  private final Admission admission;
  private final Answers answers;
  private final Cancellations cancellations;
  private final SnapshotStore snapshots;
  private final StepRunner steps;
  private final SessionOperations operations;
  private final Clock clock;

  /** Puts it together; see {@link ExecutionParts}. */
  public RequestRunner(ExecutionSettings settings, ExecutionParts parts, Clock clock) {
    this.settings = settings;
    this.codec = parts.codec();
    this.admission = new Admission(parts.admission(), clock);
    this.answers = new Answers(parts.topics(), parts.codec(), settings.resultMaxBytes());
    this.cancellations = parts.cancellations();
    this.snapshots = parts.state().snapshots();
    this.steps = new StepRunner(settings, parts.pool(), parts.state(), clock);
    this.operations =
        new SessionOperations(
            parts.state(), parts.admission().profiles().byDefault().stateLimits(), clock);
    this.clock = clock;
  }

  @Override
  public @Nullable Answer execute(Assignment assignment, RunningStep step) {
    try {
      Answer answer = answer(assignment, step);
      if (step.abandoned()) {
        answer.close();
        return null;
      }
      return answer;
    } catch (InterruptedException e) {
      // Only an abandoned step, or a worker that is being torn down, interrupts its slot.
      return null;
    } catch (RuntimeException e) {
      log.error("request at offset {}: a fault of ours", assignment.arrival().offset(), e);
      return internalFault(assignment, e);
    }
  }

  private Answer answer(Assignment assignment, RunningStep step) throws InterruptedException {
    Arrival arrival = assignment.arrival();
    if (assignment.head() != null && assignment.head().lastOffset() >= arrival.offset()) {
      return Answer.nothing(arrival.offset());
    }
    Request request;
    try {
      request = codec.decodeRequest(arrival.body());
    } catch (InvalidMessageException e) {
      return unreadable(assignment, e);
    }
    if (answeredBefore(request, assignment)) {
      log.info("request {} was answered before, this copy is dropped", request.requestId());
      return Answer.nothing(arrival.offset());
    }
    if (request instanceof SessionRequest operation) {
      return operate(operation, assignment);
    }
    return run((ExecutionRequest) request, assignment, step);
  }

  private static boolean answeredBefore(Request request, Assignment assignment) {
    if (request.oneShot()) {
      return assignment.oneShotAnswered();
    }
    return assignment.head() != null
        && assignment.head().recentRequests().contains(Fingerprint.of(request.requestId()));
  }

  private Answer run(ExecutionRequest request, Assignment assignment, RunningStep step)
      throws InterruptedException {
    ResultDraft draft = draft(request.requestId(), request.sessionId(), assignment);
    if (assignment.attempt() > settings.attemptsMax()) {
      return exhausted(request, assignment, draft);
    }
    Stopwatch watch = new Stopwatch(clock, System::nanoTime, assignment.arrival().timestampMs());
    StepRun run = new StepRun(request, assignment, draft, watch, step, snapshots);
    try {
      Admission.Admitted admitted = admission.admit(request, assignment.arrival());
      if (cancellations.enter(request.requestId(), step)) {
        steps.run(run, admitted);
      } else {
        run.cancelled(false);
      }
    } catch (InvalidMessageException e) {
      draft.rejected(e.code(), e.field(), String.valueOf(e.getMessage()));
    } finally {
      cancellations.leave(request.requestId(), step);
    }
    draft.timings(watch.timings());
    return answer(request, assignment, run, List.of());
  }

  private Answer operate(SessionRequest request, Assignment assignment)
      throws InterruptedException {
    Arrival arrival = assignment.arrival();
    ResultDraft draft = draft(request.requestId(), request.sessionId(), assignment);
    Stopwatch watch = new Stopwatch(clock, System::nanoTime, arrival.timestampMs());
    Answer.SessionAdvance advance = null;
    try {
      admission.admit(request, arrival);
      SessionOperations.Done done = operations.run(request, assignment.head());
      draft.outcome(Outcome.COMPLETED).step(done.step() == 0 ? null : done.step());
      draft.session(done.answer());
      if (request.sessionId() != null) {
        draft.state(SessionOperations.report(assignment.head(), done.change()));
        advance = Answers.advance(request.sessionId(), request.requestId(), assignment, done);
      }
    } catch (InvalidMessageException e) {
      draft.rejected(e.code(), e.field(), String.valueOf(e.getMessage()));
      advance = remembered(request, assignment, draft);
    } catch (SnapshotException e) {
      draft.failedBeforeStart(ErrorCode.STATE_UNREADABLE, String.valueOf(e.getMessage()));
      advance = remembered(request, assignment, draft);
    }
    draft.timings(watch.timings());
    Outgoing result = answers.result(draft, arrival, admission.replyTopic(request.replyTo()));
    return new Answer(arrival.offset(), List.of(result), advance);
  }

  /** A session that there is remembers what it has refused; none comes to be by a refusal. */
  private static Answer.@Nullable SessionAdvance remembered(
      SessionRequest request, Assignment assignment, ResultDraft draft) {
    Head head = assignment.head();
    if (head == null
        || request.sessionId() == null
        || draft.refusedFor(ErrorCode.WRONG_PARTITION)) {
      return null;
    }
    return Answers.advance(
        request.sessionId(),
        request.requestId(),
        assignment,
        new SessionOperations.Done(head.step(), null, null));
  }

  private Answer answer(
      ExecutionRequest request, Assignment assignment, StepRun run, List<Outgoing> more) {
    Arrival arrival = assignment.arrival();
    ResultDraft draft = run.draft();
    List<Outgoing> records = new ArrayList<>();
    records.add(answers.result(draft, arrival, admission.replyTopic(request.replyTo())));
    records.addAll(more);
    // A request that lies in a foreign place must not touch the session that it names: another
    // worker may hold that one's partition.
    Answer.SessionAdvance advance =
        request.sessionId() == null || draft.refusedFor(ErrorCode.WRONG_PARTITION)
            ? null
            : Answers.advance(request.sessionId(), draft.build(), assignment, run.newSnapshot());
    return new Answer(arrival.offset(), records, advance);
  }

  private Answer exhausted(ExecutionRequest request, Assignment assignment, ResultDraft draft) {
    String reason =
        "workers were lost with this request "
            + (assignment.attempt() - 1)
            + " times, which is as often as it is tried (setting attempts.max); its code may have"
            + " run each time";
    draft.error(
        Outcome.INFRASTRUCTURE, new ResultError(ErrorCode.ATTEMPTS_EXHAUSTED, reason, null, false));
    Outgoing letter =
        answers.deadLetter(assignment.arrival(), ErrorCode.ATTEMPTS_EXHAUSTED, reason);
    StepRun notRun =
        new StepRun(
            request,
            assignment,
            draft,
            new Stopwatch(clock, System::nanoTime, assignment.arrival().timestampMs()),
            new RunningStep(),
            snapshots);
    return answer(request, assignment, notRun, List.of(letter));
  }

  /** Answers whoever can be made out; what nobody can be answered about becomes a dead letter. */
  private Answer unreadable(Assignment assignment, InvalidMessageException why) {
    Arrival arrival = assignment.arrival();
    String reason = String.valueOf(why.getMessage());
    RequestSalvage salvage = RequestSalvage.from(arrival.body());
    if (salvage.requestId() == null) {
      log.warn("offset {} holds no request: {}", arrival.offset(), reason);
      return new Answer(
          arrival.offset(), List.of(answers.deadLetter(arrival, why.code(), reason)), null);
    }
    ResultDraft draft =
        draft(salvage.requestId(), salvage.sessionId(), assignment)
            .rejected(why.code(), why.field(), reason);
    Outgoing result = answers.result(draft, arrival, admission.replyTopic(salvage.replyTo()));
    return new Answer(arrival.offset(), List.of(result), null);
  }

  private Answer internalFault(Assignment assignment, RuntimeException fault) {
    Arrival arrival = assignment.arrival();
    String reason = "a fault in Stepwell: " + fault;
    Outgoing letter = answers.deadLetter(arrival, ErrorCode.INTERNAL, reason);
    RequestSalvage salvage = RequestSalvage.from(arrival.body());
    if (salvage.requestId() == null) {
      return new Answer(arrival.offset(), List.of(letter), null);
    }
    ResultDraft draft =
        draft(salvage.requestId(), salvage.sessionId(), assignment)
            .error(
                Outcome.INFRASTRUCTURE, new ResultError(ErrorCode.INTERNAL, reason, null, false));
    Outgoing result = answers.result(draft, arrival, admission.replyTopic(salvage.replyTo()));
    return new Answer(arrival.offset(), List.of(result, letter), null);
  }

  private ResultDraft draft(String requestId, @Nullable String sessionId, Assignment assignment) {
    return new ResultDraft(requestId, sessionId, settings.workerId(), assignment.attempt());
  }
}
