package dev.stepwell.cli.record;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The sessions that are recorded, and which of their steps; used by one thread. */
final class SeenSessions {
  private final Map<String, Steps> sessions = new LinkedHashMap<>();
  private final Set<String> bases = new LinkedHashSet<>();

  /**
   * The steps of a session that are recorded; immutable.
   *
   * @param first the number of the first one; for a fork that of the step it begins with; {@link
   *     Long#MAX_VALUE} while none is known
   * @param last the number of the last one
   * @param forked whether it was forked while it was recorded
   */
  record Steps(long first, long last, boolean forked) {}

  private static final Steps NONE = new Steps(Long.MAX_VALUE, 0, false);

  void request(String sessionId, boolean fork) {
    Steps steps = sessions.getOrDefault(sessionId, NONE);
    sessions.put(sessionId, new Steps(steps.first, steps.last, steps.forked || fork));
  }

  void result(@Nullable String sessionId, @Nullable Long step) {
    Steps steps = sessionId == null ? null : sessions.get(sessionId);
    if (sessionId != null && steps != null && step != null) {
      long first = Math.min(steps.first, step);
      sessions.put(sessionId, new Steps(first, Math.max(steps.last, step), steps.forked));
    }
  }

  /** A reference that a request names. */
  void base(String reference) {
    bases.add(reference);
  }

  Map<String, Steps> sessions() {
    return sessions;
  }

  Collection<String> bases() {
    return bases;
  }
}
