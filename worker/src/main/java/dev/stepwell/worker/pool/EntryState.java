package dev.stepwell.worker.pool;

import java.util.EnumSet;
import java.util.Set;

/**
 * Where a sandbox is in its life.
 *
 * <pre>
 *                  +----------> RESERVED --------+
 *                  |  examine      |             |
 *                  |               | alive       | dead, expired, surplus
 *                  |               v             v
 *   STARTING --> IDLE <------------+--------> DESTROYING --> GONE
 *     |  |         |  ^                          ^  ^         ^
 *     |  |         |  | taker gave up            |  |         |
 *     |  |         v  | before it saw it         |  |         |
 *     |  |        TAKEN -------------------------+  |         |
 *     |  |                retired                   |         |
 *     |  +------------------------------------------+         |
 *     |      started, but the pool has closed                 |
 *     +-------------------------------------------------------+
 *            could not be started
 * </pre>
 *
 * <p>IDLE also goes straight to DESTROYING: evicted for another profile, or the pool closes.
 */
enum EntryState {
  /** A creator is at work on it. */
  STARTING,
  /** Waiting for its step. */
  IDLE,
  /** The housekeeper looks at it; nobody can take it meanwhile. */
  RESERVED,
  /** A taker has it. */
  TAKEN,
  /** A destroyer has it, or will. */
  DESTROYING,
  /** No longer counted. */
  GONE;

  private Set<EntryState> next() {
    return switch (this) {
      case STARTING -> EnumSet.of(IDLE, DESTROYING, GONE);
      case IDLE -> EnumSet.of(RESERVED, TAKEN, DESTROYING);
      case RESERVED -> EnumSet.of(IDLE, DESTROYING);
      case TAKEN -> EnumSet.of(IDLE, DESTROYING);
      case DESTROYING -> EnumSet.of(GONE);
      case GONE -> EnumSet.noneOf(EntryState.class);
    };
  }

  boolean canBecome(EntryState state) {
    return next().contains(state);
  }
}
