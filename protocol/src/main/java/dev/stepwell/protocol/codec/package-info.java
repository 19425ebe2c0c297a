/**
 * JSON for the messages of {@link dev.stepwell.protocol}: bytes in, values out, no I/O.
 *
 * <p>Decoding is bounded in bytes, depth and string length, ignores fields it doesn't know, and
 * refuses versions it doesn't know with a typed reason. Everything here is thread-safe.
 */
@NullMarked
package dev.stepwell.protocol.codec;

import org.jspecify.annotations.NullMarked;
