package dev.stepwell.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session's newest committed position and snapshot; immutable. Workers write it in the
 * transaction that publishes the step's result; nobody else does.
 *
 * @param step the number of the session's last step, from 1
 * @param lastOffset the offset in the request topic of the last request that the session answered
 * @param recentRequests fingerprints of the last requests answered, newest last
 * @param snapshot where the session's state is; null while it has none
 * @param reseed whether the next step is to seed the random streams anew, as the first of a fork
 *     may be asked to
 */
public record Head(
    long step,
    long lastOffset,
    List<String> recentRequests,
    @Nullable SnapshotReference snapshot,
    boolean reseed) {
  /** The version of the head format that this class is. */
  public static final int VERSION = 1;

  /** How many fingerprints a head holds at most. */
  public static final int RECENT_REQUESTS = 16;

  public Head {
    Checks.atLeast("step", step, 0);
    recentRequests = List.copyOf(recentRequests);
    if (recentRequests.size() > RECENT_REQUESTS) {
      throw Checks.invalid("recentRequests", "has more than " + RECENT_REQUESTS + " entries");
    }
  }
}
