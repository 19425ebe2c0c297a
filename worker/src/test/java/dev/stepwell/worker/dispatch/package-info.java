/** What the dispatcher promises, against hand-written lanes and executors. */
@NullMarked
package dev.stepwell.worker.dispatch;

import org.jspecify.annotations.NullMarked;
