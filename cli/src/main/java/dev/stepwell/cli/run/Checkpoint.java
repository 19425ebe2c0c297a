package dev.stepwell.cli.run;

import java.util.List;

/**
 * Offsets of the request and the result topic, one for each partition, below which a run needs to
 * read nothing; immutable.
 *
 * @param requests of the request topic
 * @param results of the result topic
 */
public record Checkpoint(List<Long> requests, List<Long> results) {
  public Checkpoint {
    requests = List.copyOf(requests);
    results = List.copyOf(results);
  }
}
