package dev.stepwell.cli.log;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Where snapshots and pieces are; used by one thread at a time. Holds 64 bits of each id: whoever
 * looks something up finds a block, and in it what really has the id.
 */
final class StateIndex {
  private static final int ENTRIES_A_LINE = 1000;
  private static final int HEX = 16;

  private final LongMap pieces = new LongMap();
  private final LongList snapshotIds = new LongList();
  private final LongList snapshotSessions = new LongList();
  private final LongList snapshotPlaces = new LongList();

  /** The entry of the same session before an entry; itself where there is none. */
  private final LongList before = new LongList();

  private final LongMap lastOfSession = new LongMap();
  private final LongMap firstOfId = new LongMap();

  void piece(String id, long place) {
    pieces.put(Digest64.ofId(id), place);
  }

  /** Where a piece is, or {@link LongMap#ABSENT}. */
  long piece(String id) {
    return pieces.get(Digest64.ofId(id));
  }

  void snapshot(String id, String sessionId, long place) {
    snapshot(Digest64.ofId(id), Digest64.of(sessionId), place);
  }

  private void snapshot(long id, long session, long place) {
    int entry = snapshotIds.size();
    snapshotIds.add(id);
    snapshotSessions.add(session);
    snapshotPlaces.add(place);
    long earlier = lastOfSession.put(session, entry);
    before.add(earlier == LongMap.ABSENT ? entry : earlier);
    if (firstOfId.get(id) == LongMap.ABSENT) {
      firstOfId.put(id, entry);
    }
  }

  /** Where a snapshot is, or {@link LongMap#ABSENT}. */
  long snapshot(String id) {
    long entry = firstOfId.get(Digest64.ofId(id));
    return entry == LongMap.ABSENT ? LongMap.ABSENT : snapshotPlaces.get((int) entry);
  }

  /** Where snapshots of a session are, each place once, the last one first. */
  Set<Long> session(String sessionId) {
    Set<Long> places = new LinkedHashSet<>();
    long entry = lastOfSession.get(Digest64.of(sessionId));
    while (entry != LongMap.ABSENT) {
      places.add(snapshotPlaces.get((int) entry));
      long earlier = before.get((int) entry);
      entry = earlier == entry ? LongMap.ABSENT : earlier;
    }
    return places;
  }

  int snapshots() {
    return snapshotIds.size();
  }

  int pieces() {
    return pieces.size();
  }

  /**
   * The index as lines.
   *
   * @param positions where the blocks are that the places are the numbers of
   */
  List<byte[]> lines(LongList positions) throws IOException {
    List<byte[]> lines = new ArrayList<>();
    Entries snapshots = new Entries("snapshots", lines);
    for (int i = 0; i < snapshotIds.size(); i++) {
      snapshots.add(
          "[\"%s\",\"%s\",%d]"
              .formatted(
                  Digest64.hex(snapshotIds.get(i)),
                  Digest64.hex(snapshotSessions.get(i)),
                  positions.get((int) snapshotPlaces.get(i))));
    }
    snapshots.end();
    Entries all = new Entries("pieces", lines);
    pieces.forEach(
        (id, place) ->
            all.add("[\"%s\",%d]".formatted(Digest64.hex(id), positions.get((int) place))));
    all.end();
    return lines;
  }

  /** Takes what a line of an index says; what is no entry is passed over. */
  void read(byte[] line) {
    JsonNode tree;
    try {
      tree = LineJson.tree(line);
    } catch (IOException e) {
      return;
    }
    for (JsonNode entry : tree.path("snapshots")) {
      if (digest(entry, 0) && digest(entry, 1) && entry.path(2).canConvertToLong()) {
        snapshot(digestOf(entry, 0), digestOf(entry, 1), Math.max(0, entry.path(2).asLong()));
      }
    }
    for (JsonNode entry : tree.path("pieces")) {
      if (digest(entry, 0) && entry.path(1).canConvertToLong()) {
        pieces.put(digestOf(entry, 0), Math.max(0, entry.path(1).asLong()));
      }
    }
  }

  private static boolean digest(JsonNode entry, int place) {
    return entry.path(place).asText().matches("[0-9a-f]{16}");
  }

  private static long digestOf(JsonNode entry, int place) {
    return Long.parseUnsignedLong(entry.path(place).asText(), HEX);
  }

  /** Gathers entries into lines; used once, by one thread. */
  private static final class Entries {
    private final String name;
    private final List<byte[]> lines;
    private final List<String> waiting = new ArrayList<>();

    Entries(String name, List<byte[]> lines) {
      this.name = name;
      this.lines = lines;
    }

    void add(String entry) {
      waiting.add(entry);
      if (waiting.size() == ENTRIES_A_LINE) {
        end();
      }
    }

    void end() {
      if (!waiting.isEmpty()) {
        String array = "[" + String.join(",", waiting) + "]";
        lines.add(new LineWriter(LineType.INDEX).json(name, array).line());
        waiting.clear();
      }
    }
  }
}
