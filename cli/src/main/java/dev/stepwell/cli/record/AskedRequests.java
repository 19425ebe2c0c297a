package dev.stepwell.cli.record;

import dev.stepwell.cli.log.Digest64;
import dev.stepwell.cli.log.LongMap;

/** Which requests are recorded, and which of them are answered; used by one thread. */
final class AskedRequests {
  private static final long ASKED = 0;
  private static final long ANSWERED = 1;

  private final LongMap byId = new LongMap();
  private long answered;

  void asked(String requestId) {
    long digest = Digest64.of(requestId);
    if (byId.get(digest) == LongMap.ABSENT) {
      byId.put(digest, ASKED);
    }
  }

  /** Notes an answer; says whether its request is recorded. */
  boolean answered(String requestId) {
    long digest = Digest64.of(requestId);
    long known = byId.get(digest);
    if (known == ASKED) {
      byId.put(digest, ANSWERED);
      answered++;
    }
    return known != LongMap.ABSENT;
  }

  long unanswered() {
    return byId.size() - answered;
  }
}
