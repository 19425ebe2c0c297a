/**
 * What backends share that start programs of this machine: one process tree for each sandbox.
 *
 * <p>Here are the thread that starts them, the sandbox as its process is seen from outside, control
 * groups of either version, the system call filter, the worker's private folder, and what removes
 * the leftovers of workers that are gone. Backends call it; it knows none of them.
 */
@NullMarked
package dev.stepwell.worker.sandbox.process;

import org.jspecify.annotations.NullMarked;
