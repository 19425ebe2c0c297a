package dev.stepwell.worker.snapshot;

import dev.stepwell.worker.state.Decoder;
import dev.stepwell.worker.state.Encoder;
import dev.stepwell.worker.state.Stored;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots before one; immutable.
 *
 * <p>A snapshot lists the ones just before it, and names the one whose list goes on from there: so
 * no snapshot grows with the length of its session, and a step of long ago is a few reads away.
 *
 * @param recent the newest first, at most {@link #PAGE}
 * @param older the snapshot whose own past comes before these; null where nothing does
 */
public record Past(List<HistoryEntry> recent, @Nullable Stored older) {
  /** How many entries a snapshot lists at most. */
  public static final int PAGE = 32;

  /** Nothing before. */
  public static final Past NONE = new Past(List.of(), null);

  public Past {
    recent = List.copyOf(recent);
  }

  /** The past of a snapshot that comes after the given one. */
  static Past after(@Nullable Snapshot previous) {
    if (previous == null) {
      return NONE;
    }
    HistoryEntry entry = previous.entry();
    Past before = previous.past();
    if (before.recent.size() >= PAGE) {
      return new Past(List.of(entry), entry.at());
    }
    List<HistoryEntry> recent = new ArrayList<>();
    recent.add(entry);
    recent.addAll(before.recent);
    return new Past(recent, before.older);
  }

  void encode(Encoder out) {
    out.integer(recent.size());
    recent.forEach(entry -> entry.encode(out));
    out.tag(older == null ? 0 : 1);
    if (older != null) {
      out.stored(older);
    }
  }

  static Past decode(Decoder in) {
    int count = in.integer();
    if (count < 0 || count > PAGE) {
      throw new IllegalArgumentException("a past of " + count + " entries");
    }
    List<HistoryEntry> recent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      recent.add(HistoryEntry.decode(in));
    }
    return new Past(recent, in.tag() == 0 ? null : in.stored());
  }
}
