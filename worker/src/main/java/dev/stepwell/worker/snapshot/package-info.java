/**
 * Snapshots as a worker has them: a session's variables, its workspace, and the way back through
 * its history; how they are written into one bundle of the blob topic, and read again.
 *
 * <p>What the variables say is never looked at. A snapshot is known by the hash of what it says;
 * one that carries its variables or its files on refers to where an earlier bundle has them.
 */
@NullMarked
package dev.stepwell.worker.snapshot;

import org.jspecify.annotations.NullMarked;
