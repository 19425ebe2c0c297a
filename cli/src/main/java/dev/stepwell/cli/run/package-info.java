/**
 * What long runs over many requests share: request ids that are the same after an interruption, a
 * folder that remembers how far a run is, and a connection that waits for its broker.
 */
@NullMarked
package dev.stepwell.cli.run;

import org.jspecify.annotations.NullMarked;
