package dev.stepwell.cli.log;

import dev.stepwell.protocol.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as it was published; immutable.
 *
 * @param ordinal its place among the log's requests, from 0
 * @param atMs when it was published, in milliseconds since the epoch; 0 where the log doesn't say
 * @param key the key it was published under
 * @param request the request; null where its message could not be read as one
 * @param problem why it could not be read; null where it could
 * @param withheld names of environment variables whose values were left out of the log
 */
public record RecordedRequest(
    long ordinal,
    long atMs,
    String key,
    @Nullable Request request,
    @Nullable String problem,
    List<String> withheld) {
  public RecordedRequest {
    withheld = List.copyOf(withheld);
  }
}
