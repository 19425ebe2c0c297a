/**
 * Sandboxes by <a href="https://github.com/containers/bubblewrap">bubblewrap</a>: no daemon, no
 * image, no privileges needed.
 *
 * <p>One factory, {@link dev.stepwell.worker.sandbox.bubblewrap.BubblewrapBackend}. A sandbox is
 * one process tree: {@code /bin/sh} joins the control groups and opens the filter, {@code setpriv}
 * gives root away where the worker has it, {@code bwrap} makes the namespaces and the file system,
 * and the command becomes process 1 in them.
 */
@NullMarked
package dev.stepwell.worker.sandbox.bubblewrap;

import org.jspecify.annotations.NullMarked;
