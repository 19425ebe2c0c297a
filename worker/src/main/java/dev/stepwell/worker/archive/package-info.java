/**
 * Snapshots outside workers: read from an installation, carried elsewhere, looked into, and brought
 * back.
 *
 * <p>Nothing here unpickles anything. {@link dev.stepwell.worker.archive.SnapshotArchive} is the
 * way in and out.
 */
@NullMarked
package dev.stepwell.worker.archive;

import org.jspecify.annotations.NullMarked;
