/**
 * The messages of Stepwell as immutable values: requests, results, heads, cancels, dead letters.
 *
 * <p>Values validate themselves when they are made, hold no I/O and no clock, and are safe to share
 * between threads. {@link dev.stepwell.protocol.codec} turns them into JSON and back. Clients and
 * workers both build on this package; it depends on neither. {@code docs/protocol.md} is the
 * normative description of the wire.
 */
@NullMarked
package dev.stepwell.protocol;

import org.jspecify.annotations.NullMarked;
