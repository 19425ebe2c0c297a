package dev.stepwell.cli.replay;

import dev.stepwell.cli.log.RecordedRequest;
import dev.stepwell.cli.log.RecordedResult;
import dev.stepwell.cli.run.Answer;
import dev.stepwell.cli.run.CourierException;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import org.jspecify.annotations.Nullable;

/**
 * A recorded request on its way through a replay. Owned by the thread that drives the replay until
 * it is judged, and not changed from then on.
 */
final class Case {
  final RecordedRequest recorded;
  final Request request;

  /** Its id in the replay. */
  final String replayId;

  /** Which copy it is of a request that was published more than once; 0 for the first. */
  final int copy;

  /** What was recorded of its result; null while that isn't known, and where there is none. */
  @Nullable RecordedResult result;

  /** What came now; null while nothing did. */
  @Nullable Answer answer;

  /** Why nothing will come; null where that isn't so. */
  @Nullable CourierException failure;

  Case(RecordedRequest recorded, Request request, String replayId, int copy) {
    this.recorded = recorded;
    this.request = request;
    this.replayId = replayId;
    this.copy = copy;
  }

  String id() {
    return request.requestId();
  }

  /** Its id in the replay, by which a copy is told from the first. */
  String replayName() {
    return copy == 0 ? replayId : replayId + " " + copy;
  }

  long ordinal() {
    return recorded.ordinal();
  }

  boolean answered() {
    return answer != null || failure != null;
  }

  /** The number of its step as it was recorded; null where there is none. */
  @Nullable Long step() {
    return result == null ? null : result.result().step();
  }

  /** Whether its session begins with it, as the copy of another one's state. */
  boolean isFork() {
    return request instanceof SessionRequest operation
        && operation.operation() instanceof SessionOperation.Fork;
  }

  /** Whether its session has one step more after it. */
  boolean changesSession() {
    return !(request instanceof SessionRequest operation)
        || !(operation.operation() instanceof SessionOperation.Locate
            || operation.operation() instanceof SessionOperation.History
            || operation.operation() instanceof SessionOperation.GetFile
            || operation.operation() instanceof SessionOperation.ListFiles);
  }
}
