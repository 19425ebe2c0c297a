/**
 * Sandboxes by <a href="https://github.com/NVIDIA/enroot">enroot</a>: squashfs images, no daemon,
 * no privileges, on the nodes of a cluster.
 *
 * <p>One factory, {@link dev.stepwell.worker.sandbox.enroot.EnrootBackend}. An image becomes a
 * container root once on each machine. A sandbox is one process tree: {@code /bin/sh} joins the
 * control groups, {@code setpriv} gives root away where the worker has it and ties the rest to the
 * worker's life, {@code enroot start} makes the namespaces and the file system, {@code enter.py}
 * brings the system call filter, and the command becomes process 1.
 */
@NullMarked
package dev.stepwell.worker.sandbox.enroot;

import org.jspecify.annotations.NullMarked;
