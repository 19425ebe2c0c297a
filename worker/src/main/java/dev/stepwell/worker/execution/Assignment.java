package dev.stepwell.worker.execution;

import dev.stepwell.protocol.Head;
import org.jspecify.annotations.Nullable;

/**
 * A request that a slot is to run, with what the dispatcher knows about it; immutable.
 *
 * @param arrival the request
 * @param head the head of the session that has the request's key; null if there is none
 * @param oneShotAnswered whether a one-shot of this key was answered under this lease
 * @param attempt 1 for the first try; workers that were lost with it count
 */
public record Assignment(
    Arrival arrival, @Nullable Head head, boolean oneShotAnswered, int attempt) {}
