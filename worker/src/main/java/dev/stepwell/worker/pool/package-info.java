/**
 * The pool: started, unassigned sandboxes of every profile, each with a booted runner that waits
 * for the one step it will ever run.
 *
 * <p>Execution takes runners and retires them; nothing of a session enters one before it is taken.
 * {@link dev.stepwell.worker.pool.SandboxPool} is the way in. It owns all state; its own threads
 * create, destroy and expire.
 */
@NullMarked
package dev.stepwell.worker.pool;

import org.jspecify.annotations.NullMarked;
