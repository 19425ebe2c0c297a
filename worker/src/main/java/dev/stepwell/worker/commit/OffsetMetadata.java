package dev.stepwell.worker.commit;

import java.util.Base64;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What rides in the metadata string of a committed offset: the requests above it that are finished,
 * those that may have been started, and how often; immutable.
 *
 * <p>The text is {@code 1|startable|finished|starts}, with all offsets relative to the committed
 * one: the last offset that may have been started, a Base64 bitmap of finished offsets, and
 * comma-separated {@code offset:count} pairs. Brokers take 4,096 bytes of metadata, so whoever
 * fills it keeps the distance between the lowest and the highest bit within {@link #MAX_WINDOW}.
 *
 * @param startableUpTo the highest offset that may have been started; below the position for none
 * @param finished finished offsets at or above the position
 * @param starts starts on record of unfinished offsets
 */
record OffsetMetadata(
    long startableUpTo, SortedSet<Long> finished, SortedMap<Long, Integer> starts) {
  /** 20,000 bits are 3,336 Base64 characters, which leaves room for the starts. */
  static final int MAX_WINDOW = 20_000;

  /**
   * Starts beyond this many are not written: only as many requests run at once as there are slots.
   */
  static final int MAX_STARTS = 48;

  private static final String VERSION = "1";

  /** What a partition has that nobody has ever committed to. */
  static OffsetMetadata none(long position) {
    return new OffsetMetadata(position - 1, new TreeSet<>(), new TreeMap<>());
  }

  String encode(long position) {
    BitSet bits = new BitSet();
    for (long offset : finished) {
      if (offset >= position && offset - position < MAX_WINDOW) {
        bits.set((int) (offset - position));
      }
    }
    StringBuilder text = new StringBuilder(64);
    text.append(VERSION).append('|').append(startableUpTo - position).append('|');
    text.append(Base64.getEncoder().withoutPadding().encodeToString(bits.toByteArray()));
    text.append('|');
    starts.entrySet().stream()
        .limit(MAX_STARTS)
        .forEach(
            start ->
                text.append(start.getKey() - position)
                    .append(':')
                    .append(start.getValue())
                    .append(','));
    return text.toString();
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IllegalArgumentException if it is something else; the group's offsets were then
   *     committed by a program that is not Stepwell
   */
  static OffsetMetadata decode(long position, String text) {
    if (text.isEmpty()) {
      return none(position);
    }
    String[] parts = text.split("\\|", -1);
    if (parts.length != 4 || !parts[0].equals(VERSION)) {
      throw new IllegalArgumentException("offset metadata is not Stepwell's: '" + text + "'");
    }
    SortedSet<Long> finished = new TreeSet<>();
    BitSet.valueOf(Base64.getDecoder().decode(parts[2])).stream()
        .forEach(bit -> finished.add(position + bit));
    SortedMap<Long, Integer> starts = new TreeMap<>();
    for (String pair : parts[3].split(",", -1)) {
      if (!pair.isEmpty()) {
        int colon = pair.indexOf(':');
        starts.put(
            position + Long.parseLong(pair.substring(0, colon)),
            Integer.parseInt(pair.substring(colon + 1)));
      }
    }
    return new OffsetMetadata(position + Long.parseLong(parts[1]), finished, starts);
  }
}
