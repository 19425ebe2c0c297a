/**
 * What makes a step's effects happen once: per assigned partition one transactional producer, one
 * thread that owns it, and one ledger of what is finished.
 *
 * <p>A {@code PartitionCommitter} puts result, head, snapshot pieces and offset of everything that
 * has finished into one transaction. Execution hands it answers; the dispatcher listens to what has
 * been committed. Reading back what an earlier owner committed, when a partition is taken over, is
 * here too, because the two must agree to the byte.
 */
@NullMarked
package dev.stepwell.worker.commit;

import org.jspecify.annotations.NullMarked;
