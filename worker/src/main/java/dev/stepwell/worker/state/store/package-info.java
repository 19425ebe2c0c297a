/**
 * Stores for objects under names: a shared folder, or a server that speaks the S3 protocol. They
 * know nothing of snapshots.
 */
@NullMarked
package dev.stepwell.worker.state.store;

import org.jspecify.annotations.NullMarked;
