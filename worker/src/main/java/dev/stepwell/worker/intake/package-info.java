/**
 * Reads requests and cancels from Kafka and hands them on.
 *
 * <p>The request consumer belongs to the thread {@code intake}, which does nothing but poll, pause,
 * resume and pass records to the dispatcher: it never looks into a request, never restores state,
 * never waits for a sandbox. So however long a step runs, the group sees a living member.
 */
@NullMarked
package dev.stepwell.worker.intake;

import org.jspecify.annotations.NullMarked;
