/**
 * The worker's end of the runner's channel: compiling the runner for a profile's interpreter,
 * booting it in a sandbox, and holding the conversation of one step.
 *
 * <p>{@code docs/runner-channel.md} describes the bytes. Everything that comes out of a sandbox is
 * checked here; nothing past this package sees a frame. The pool boots runners, execution runs
 * steps in them. The runner itself is Python, under the resources of this package.
 */
@NullMarked
package dev.stepwell.worker.runner;

import org.jspecify.annotations.NullMarked;
