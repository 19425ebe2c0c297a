/**
 * Tells how busy an installation is, from its topics alone: what a person looks at, and what an
 * autoscaler asks.
 */
@NullMarked
package dev.stepwell.cli.load;

import org.jspecify.annotations.NullMarked;
