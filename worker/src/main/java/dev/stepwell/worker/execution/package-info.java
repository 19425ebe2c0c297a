/**
 * Runs one request to its answer: looks into it, takes a sandbox, gives back the session's state,
 * runs the step, and says what came of it.
 *
 * <p>Everything here runs on the slot thread that the dispatcher gave the request to. Failures of
 * Stepwell are exceptions up to this package and results beyond it; what user code does is a result
 * from the start.
 */
@NullMarked
package dev.stepwell.worker.execution;

import org.jspecify.annotations.NullMarked;
