package dev.stepwell.worker.snapshot;

import dev.stepwell.worker.state.Decoder;
import dev.stepwell.worker.state.Encoder;
import dev.stepwell.worker.state.Stored;

/**
 * A snapshot of a session's past; immutable.
 *
 * @param making how it came to be
 * @param at its name, and where it was written down
 * @param liveBytes the size of its variables
 */
public record HistoryEntry(Making making, Stored at, long liveBytes) {
  void encode(Encoder out) {
    making.encode(out);
    out.stored(at).number(liveBytes);
  }

  static HistoryEntry decode(Decoder in) {
    return new HistoryEntry(Making.decode(in), in.stored(), in.number());
  }
}
