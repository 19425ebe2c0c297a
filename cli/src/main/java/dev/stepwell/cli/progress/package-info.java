/** Shows how far a long command is: done, rate, estimate, and counts by how things went. */
@NullMarked
package dev.stepwell.cli.progress;

import org.jspecify.annotations.NullMarked;
