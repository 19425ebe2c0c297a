package dev.stepwell.worker.execution;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.SessionRequest;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.StepLimits;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which a well-formed request is taken or refused on this worker; immutable and
 * thread-safe.
 */
final class Admission {
  private final AdmissionSettings settings;
  private final Clock clock;

  Admission(AdmissionSettings settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
  }

  /** What an admitted request runs in and under. */
  record Admitted(Profile profile, StepLimits.Bounds limits) {}

  /**
   * @throws InvalidMessageException naming the rule that the request breaks
   */
  void admit(SessionRequest request, Arrival arrival) {
    checkWhereAndWhen(request, arrival);
  }

  private void checkWhereAndWhen(Request request, Arrival arrival) {
    checkPlace(request, arrival);
    checkReplyTopic(request.replyTo());
    Long deadlineMs = request.deadlineMs();
    if (deadlineMs != null && clock.millis() > deadlineMs) {
      throw new InvalidMessageException(
          ErrorCode.DEADLINE_PASSED,
          "deadlineMs",
          "the deadline passed "
              + (clock.millis() - deadlineMs)
              + " ms before the step could start; the code has not run");
    }
  }

  /**
   * @throws InvalidMessageException naming the rule that the request breaks
   */
  Admitted admit(ExecutionRequest request, Arrival arrival) {
    checkWhereAndWhen(request, arrival);
    Profile profile = settings.profiles().find(request.profile());
    if (profile == null) {
      throw new InvalidMessageException(
          ErrorCode.UNKNOWN_PROFILE,
          "profile",
          "profile '"
              + request.profile()
              + "' is unknown here; known are "
              + String.join(", ", new TreeSet<>(settings.profiles().byName().keySet())));
    }
    return new Admitted(profile, limits(request.limits(), profile));
  }

  /** The topic that a result may go to: the one asked for if it is allowed, else the default. */
  String replyTopic(@Nullable String wanted) {
    return wanted != null && settings.replyTopics().contains(wanted)
        ? wanted
        : settings.defaultReplyTopic();
  }

  private void checkPlace(Request request, Arrival arrival) {
    byte[] expected = request.key().getBytes(StandardCharsets.UTF_8);
    String id = request.oneShot() ? "requestId" : "sessionId";
    if (!Arrays.equals(expected, arrival.key())) {
      throw new InvalidMessageException(
          ErrorCode.WRONG_PARTITION, id, "the record's key must be the request's " + id);
    }
    int partition = Utils.toPositive(Utils.murmur2(expected)) % settings.partitions();
    if (partition != arrival.lease().partition()) {
      throw new InvalidMessageException(
          ErrorCode.WRONG_PARTITION,
          id,
          "the request is in partition "
              + arrival.lease().partition()
              + ", its key belongs into "
              + partition
              + " of "
              + settings.partitions()
              + "; let the producer partition by the murmur2 hash of the key");
    }
  }

  private void checkReplyTopic(@Nullable String replyTo) {
    Set<String> allowed = settings.replyTopics();
    if (replyTo != null && !allowed.contains(replyTo)) {
      throw new InvalidMessageException(
          ErrorCode.REPLY_TOPIC_NOT_ALLOWED,
          "replyTo",
          "reply topic '"
              + replyTo
              + "' is not allowed; allowed are "
              + String.join(", ", new TreeSet<>(allowed)));
    }
  }

  private static StepLimits.Bounds limits(RequestLimits wanted, Profile profile) {
    StepLimits.Bounds defaults = profile.stepLimits().defaults();
    StepLimits.Bounds most = profile.stepLimits().maximum();
    String name = profile.name();
    return new StepLimits.Bounds(
        within(name, "wallTimeMs", wanted.wallTimeMs(), defaults.wallTimeMs(), most.wallTimeMs()),
        within(
            name, "memoryBytes", wanted.memoryBytes(), defaults.memoryBytes(), most.memoryBytes()),
        within(
            name, "outputBytes", wanted.outputBytes(), defaults.outputBytes(), most.outputBytes()),
        within(name, "stateBytes", wanted.stateBytes(), defaults.stateBytes(), most.stateBytes()));
  }

  private static long within(
      String profile, String limit, @Nullable Long wanted, long byDefault, long most) {
    if (wanted == null) {
      return byDefault;
    }
    if (wanted > most) {
      throw new InvalidMessageException(
          ErrorCode.LIMIT_BEYOND_PROFILE,
          "limits." + limit,
          "limits."
              + limit
              + " is "
              + wanted
              + ", profile '"
              + profile
              + "' allows at most "
              + most);
    }
    return wanted;
  }
}
