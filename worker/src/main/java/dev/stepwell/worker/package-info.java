/**
 * The worker as a whole: {@link dev.stepwell.worker.Worker} puts its parts together and takes them
 * apart again, and is the only place that names a backend.
 */
@NullMarked
package dev.stepwell.worker;

import org.jspecify.annotations.NullMarked;
