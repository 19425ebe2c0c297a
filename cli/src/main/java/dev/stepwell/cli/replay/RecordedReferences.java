package dev.stepwell.cli.replay;

import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What references of the recorded installation are called in this one. Remembers the last {@value
 * #LIMIT} only. Owned by the thread that drives the replay.
 */
final class RecordedReferences {
  private static final int LIMIT = 100_000;

  private final Map<String, String> replayed = bounded();
  private final Map<String, String> sources = bounded();

  /** The reference that a request starts from; null for none. */
  static @Nullable String base(Request request) {
    if (request instanceof ExecutionRequest step) {
      return step.base();
    }
    SessionOperation operation = ((SessionRequest) request).operation();
    if (operation instanceof SessionOperation.Fork fork) {
      return fork.base();
    }
    if (operation instanceof SessionOperation.GetFile get) {
      return get.base();
    }
    return operation instanceof SessionOperation.ListFiles list ? list.base() : null;
  }

  /** The reference that a result tells of; null for none. */
  static @Nullable String told(ExecutionResult result) {
    SessionAnswer answer = result.session();
    if (answer instanceof SessionAnswer.Located located) {
      return located.reference();
    }
    if (answer instanceof SessionAnswer.Files files) {
      return files.reference();
    }
    return answer instanceof SessionAnswer.Content content ? content.reference() : null;
  }

  /** The id of the snapshot that a reference names. */
  static String snapshotId(String reference) {
    return reference.substring(reference.lastIndexOf('.') + 1);
  }

  /** A recorded result tells of a reference, the first one of it being the one that counts. */
  void noteSource(ExecutionResult recorded) {
    String reference = told(recorded);
    if (reference != null) {
      sources.putIfAbsent(reference, recorded.requestId());
    }
  }

  /** The request whose result told of a reference; null where none is remembered. */
  @Nullable String source(String reference) {
    return sources.get(reference);
  }

  void map(@Nullable String recorded, @Nullable String now) {
    if (recorded != null && now != null) {
      replayed.put(recorded, now);
    }
  }

  /** What a recorded reference is called here; null where that isn't known. */
  @Nullable String replayed(String recorded) {
    return replayed.get(recorded);
  }

  private static Map<String, String> bounded() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
        return size() > LIMIT;
      }
    };
  }
}
