/** Ledgers and what rides in offset metadata. */
@NullMarked
package dev.stepwell.worker.commit;

import org.jspecify.annotations.NullMarked;
