package dev.stepwell.worker.dispatch;

import java.util.function.Consumer;

/**
 * How the dispatcher is set; immutable.
 *
 * @param slots how many steps run at once, at least 1
 * @param partition how much of one partition is taken ahead
 * @param onFailure told, on the dispatch thread, of the fault that ended the dispatcher
 */
public record DispatchSettings(
    int slots, PartitionLimits partition, Consumer<RuntimeException> onFailure) {
  /**
   * At any of these no more of the partition is read until half of it is done; immutable.
   *
   * @param requests requests held
   * @param bytes bytes of requests held
   * @param window offsets from the oldest unfinished request to the newest
   */
  public record PartitionLimits(int requests, long bytes, int window) {}
}
