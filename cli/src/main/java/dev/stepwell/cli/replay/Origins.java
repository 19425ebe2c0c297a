package dev.stepwell.cli.replay;

import dev.stepwell.cli.log.RecordedResult;
import dev.stepwell.cli.log.RecordedSnapshot;
import dev.stepwell.cli.run.Answer;
import dev.stepwell.cli.run.IdSet;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds what requests and sessions start from: a reference that was told of now, a snapshot that is
 * restored from the log, or nothing, for which they are left out. Owned by the thread that drives
 * the replay.
 */
final class Origins {
  /** How the reason begins for which all of a session is skipped. */
  static final String WHOLE_SESSION = "session ";

  static final String BASE_MISSING = WHOLE_SESSION + "starts from a base that is not in the log";
  static final String FIRST_MISSING = WHOLE_SESSION + "lacks its first steps";
  static final String OWN_BASE_MISSING = "starts from a base that is not in the log";

  private final LogSnapshots snapshots;
  private final RecordedResults results;
  private final RecordedReferences references;
  private final Restorations restorations;
  private final Progressed progressed;
  private final RequestMapper mapper;
  private final Recorder recorder;

  /** Read and neither matched nor skipped, by recorded id. */
  private final Map<String, Case> live = new HashMap<>();

  /** What to do once a request is no longer live, by its recorded id. */
  private final Map<String, List<Runnable>> waitingFor = new HashMap<>();

  /** Sessions of which a request was asked about, or was done with before. */
  private final IdSet begun = new IdSet();

  /** What sessions are to be begun from, of which the log lacks the first steps. */
  private final Map<String, String> beginnings = new HashMap<>();

  /** Requests whose base could not be restored, until they are asked about again. */
  private final Set<Case> unrestored = new HashSet<>();

  /** Sessions that are left out, and why. */
  private final Map<String, String> leftOut;

  Origins(
      LogSnapshots snapshots,
      RecordedResults results,
      RecordedReferences references,
      Restorations restorations,
      Progressed progressed,
      RequestMapper mapper,
      Recorder recorder) {
    this.snapshots = snapshots;
    this.results = results;
    this.references = references;
    this.restorations = restorations;
    this.progressed = progressed;
    this.mapper = mapper;
    this.recorder = recorder;
    leftOut = new HashMap<>(progressed.skipped);
  }

  /** An earlier process is done with a request of this session. */
  void begunBefore(String session) {
    begun.add(session);
  }

  /** A case is going to be published or skipped: others may have to wait for its answer. */
  void admit(Case each) {
    if (each.copy == 0) {
      live.put(each.id(), each);
    }
  }

  /** Nothing more will be told by a case: who waits for that need wait no longer. */
  void gone(Case each) {
    if (each.copy > 0) {
      return;
    }
    live.remove(each.id());
    List<Runnable> waiting = waitingFor.remove(each.id());
    if (waiting != null) {
      waiting.forEach(Runnable::run);
    }
  }

  /** Why all of a case's session is left out; null where it isn't. */
  @Nullable String leftOut(Case each) {
    String session = each.request.sessionId();
    return session == null ? null : leftOut.get(session);
  }

  /**
   * What a case starts from, being the first of its session that isn't published.
   *
   * @param askAgain run once this has another answer, where that is {@link Origin#AWAITED}
   */
  Origin of(Case first, Runnable askAgain) {
    Origin instead = beginning(first, askAgain);
    return instead == null ? base(first, askAgain) : instead;
  }

  /** What has to come before a session can begin with this request; null for nothing. */
  private @Nullable Origin beginning(Case first, Runnable askAgain) {
    String session = first.request.sessionId();
    if (session == null || first.copy > 0) {
      return null;
    }
    String restored = beginnings.remove(session);
    if (restored != null) {
      return new Origin.Unbegun(session, fork(session, restored));
    }
    if (begun.contains(session)) {
      return null;
    }
    begun.add(session);
    long needed = stepsBefore(first);
    if (needed <= 0 || progressed.started.contains(session)) {
      return null;
    }
    RecordedSnapshot snapshot = snapshots.upTo(session, needed);
    if (snapshot == null) {
      return leaveOut(session, FIRST_MISSING);
    }
    restorations.restore(
        snapshot,
        reference -> {
          if (reference == null) {
            leaveOut(session, FIRST_MISSING);
          } else {
            beginnings.put(session, reference);
          }
          askAgain.run();
        });
    return Origin.AWAITED;
  }

  private SessionRequest fork(String session, String reference) {
    return new SessionRequest(
        mapper.id(session + ".start"),
        mapper.id(session),
        new SessionOperation.Fork(reference, false),
        null,
        null);
  }

  /** What came of the request that was to begin a session; without an answer, null. */
  void begun(Origin.Unbegun unbegun, @Nullable Answer answer) {
    if (answer != null && done(answer.result())) {
      recorder.started(unbegun.session(), unbegun.fork().requestId());
    } else {
      leaveOut(unbegun.session(), FIRST_MISSING);
    }
  }

  private static boolean done(ExecutionResult result) {
    return result.outcome() == Outcome.COMPLETED
        || (result.error() != null && result.error().code() == ErrorCode.SESSION_EXISTS);
  }

  private Origin base(Case first, Runnable askAgain) {
    String base = RecordedReferences.base(first.request);
    String now = base == null ? null : replayed(base);
    if (base == null || now != null) {
      return new Origin.Known(now);
    }
    String source = references.source(base);
    Case teller = source == null ? null : live.get(source);
    if (source != null && teller != null && teller.ordinal() < first.ordinal()) {
      waitingFor.computeIfAbsent(source, key -> new ArrayList<>()).add(askAgain);
      return Origin.AWAITED;
    }
    RecordedSnapshot snapshot =
        unrestored.remove(first) ? null : snapshots.snapshot(RecordedReferences.snapshotId(base));
    if (snapshot == null) {
      return withoutBase(first);
    }
    restorations.restore(
        snapshot,
        reference -> {
          if (reference == null) {
            unrestored.add(first);
          } else {
            references.map(base, reference);
          }
          askAgain.run();
        });
    return Origin.AWAITED;
  }

  /** What a recorded reference is called here, after which the log says who told of it. */
  private @Nullable String replayed(String base) {
    String now = references.replayed(base);
    if (now != null) {
      return now;
    }
    results.readUntil(() -> references.source(base) != null);
    // Reading may have brought the answer together with what was recorded of it.
    return references.replayed(base);
  }

  private Origin withoutBase(Case first) {
    String session = first.request.sessionId();
    return session != null && first.isFork()
        ? leaveOut(session, BASE_MISSING)
        : new Origin.Missing(OWN_BASE_MISSING);
  }

  private Origin leaveOut(String session, String reason) {
    leftOut.put(session, reason);
    return new Origin.Missing(reason);
  }

  /** How many steps the recorded session had before this request; 0 where nobody knows. */
  private long stepsBefore(Case first) {
    // A fork begins its session, with as many steps as its base has.
    RecordedResult result = first.isFork() ? null : results.find(first);
    Long step = result == null ? null : result.result().step();
    if (step == null) {
      return 0;
    }
    return first.changesSession() ? step - 1 : step;
  }
}
