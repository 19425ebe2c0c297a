package dev.stepwell.worker.execution;

import dev.stepwell.worker.snapshot.SnapshotStore;
import dev.stepwell.worker.state.ClaimCheck;
import dev.stepwell.worker.state.Pieces;
import dev.stepwell.worker.state.Renewal;

/**
 * What execution reads state from and leaves it to; all of it is thread-safe and shared.
 *
 * @param snapshots the snapshots
 * @param pieces what they are made of
 * @param claimCheck where large new pieces go
 * @param renewal which pieces are so old that they must be written again
 */
public record StateParts(
    SnapshotStore snapshots, Pieces pieces, ClaimCheck claimCheck, Renewal renewal) {}
