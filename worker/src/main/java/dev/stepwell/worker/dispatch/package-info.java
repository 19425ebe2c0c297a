/**
 * Decides what runs when: one queue per session, sessions side by side, as many steps at once as
 * there are slots.
 *
 * <p>Intake hands requests over, execution runs them on slot threads, commit says what is done. All
 * state of the queues and sessions belongs to one thread, {@code dispatch}; everybody else sends it
 * commands. Requests are queued by their Kafka key and not looked into: for a session the key is
 * the session's id, for a one-shot it is its own, so the order of a key is all the order there is.
 */
@NullMarked
package dev.stepwell.worker.dispatch;

import org.jspecify.annotations.NullMarked;
