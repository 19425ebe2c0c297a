/**
 * What a sandbox is, whoever makes it: the backend interface, profiles and their limits.
 *
 * <p>Each backend lives in a package of its own below this one, exposes one factory, and depends on
 * nothing but this package. The pool calls backends; the worker's composition root names them.
 */
@NullMarked
package dev.stepwell.worker.sandbox;

import org.jspecify.annotations.NullMarked;
