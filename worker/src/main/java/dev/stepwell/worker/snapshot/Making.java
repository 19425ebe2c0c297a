package dev.stepwell.worker.snapshot;

import dev.stepwell.worker.state.Decoder;
import dev.stepwell.worker.state.Encoder;

/**
 * How a snapshot came to be; immutable.
 *
 * @param step the number of the session's last step by then
 * @param requestId the request that made it
 * @param outcome the outcome of that request
 * @param finishedAtMs when, milliseconds since the epoch
 * @param newBytes what it added to storage
 */
public record Making(
    long step, String requestId, String outcome, long finishedAtMs, long newBytes) {

  /** The same, with what it has added to storage. */
  Making adding(long bytes) {
    return new Making(step, requestId, outcome, finishedAtMs, bytes);
  }

  void encode(Encoder out) {
    out.number(step).text(requestId).text(outcome).number(finishedAtMs).number(newBytes);
  }

  static Making decode(Decoder in) {
    return new Making(in.number(), in.text(), in.text(), in.number(), in.number());
  }
}
