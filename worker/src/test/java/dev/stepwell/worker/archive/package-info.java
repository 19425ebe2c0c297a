/** What a snapshot's copy says, and what forged ones can't do. */
@NullMarked
package dev.stepwell.worker.archive;

import org.jspecify.annotations.NullMarked;
