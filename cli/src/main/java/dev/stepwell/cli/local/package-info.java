/**
 * What commands start on this machine: a broker, topics, a worker, and what those need.
 *
 * <p>{@link dev.stepwell.cli.local.LocalStack} starts all of it and takes it apart in order.
 */
@NullMarked
package dev.stepwell.cli.local;

import org.jspecify.annotations.NullMarked;
