package dev.stepwell.worker.execution;

import dev.stepwell.protocol.Topics;
import dev.stepwell.protocol.codec.MessageCodec;
import dev.stepwell.worker.pool.SandboxPool;

/**
 * What execution works with; all of it is shared between slots.
 *
 * @param codec reads requests within the bound on their size, and writes results
 * @param topics the topics' names
 * @param admission what this worker admits
 * @param cancellations what is to be cancelled
 * @param pool where sandboxes come from
 * @param state where state comes from and goes
 */
public record ExecutionParts(
    MessageCodec codec,
    Topics topics,
    AdmissionSettings admission,
    Cancellations cancellations,
    SandboxPool pool,
    StateParts state) {}
