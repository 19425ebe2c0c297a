package dev.stepwell.worker.commit;

/**
 * Counts requests without an answer, from what workers commit. For those who watch from outside.
 */
public final class Unfinished {
  private Unfinished() {}

  /**
   * How many requests of a partition have no answer yet, those that run included. Some of a
   * session's may be counted that have been answered above one that has not.
   *
   * @param position the group's committed offset
   * @param end the partition's end
   * @param metadata what was committed with the offset
   * @throws IllegalArgumentException if that is not Stepwell's
   */
  public static long count(long position, long end, String metadata) {
    OffsetMetadata decoded = OffsetMetadata.decode(position, metadata);
    long above = decoded.finished().stream().filter(offset -> offset < end).count();
    return Math.max(0, end - position - above);
  }
}
