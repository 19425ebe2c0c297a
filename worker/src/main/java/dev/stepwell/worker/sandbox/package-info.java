/**
 * What a sandbox is, whoever makes it: the backend interface, profiles and their limits.
 *
 * <p>Each backend lives in a package of its own below this one, exposes one factory, and depends on
 * this package and on {@code process}, which backends share that start programs of this machine.
 * The pool calls backends; the worker's composition root names them.
 */
@NullMarked
package dev.stepwell.worker.sandbox;

import org.jspecify.annotations.NullMarked;
