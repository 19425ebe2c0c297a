/**
 * The worker's configuration: the table of its settings, the reader that checks a file against it,
 * and the values that come out.
 *
 * <p>{@code Setting} is the table; the reader, the error messages and {@code docs/configuration.md}
 * are derived from it. The composition root reads a {@link dev.stepwell.worker.config.WorkerConfig}
 * once, at start, and hands its parts on.
 */
@NullMarked
package dev.stepwell.worker.config;

import org.jspecify.annotations.NullMarked;
