/**
 * A single Kafka broker in a JVM of its own, for demonstrations, local work and tests.
 *
 * <p>{@link dev.stepwell.broker.BrokerProcess} is what others use: it needs nothing but the JDK and
 * starts the rest of this package as a child process, on a class path of its own, because the
 * broker and current clients don't agree on the version of Kafka's classes. The child lives as long
 * as the process that started it: it leaves when its standard input ends, which happens however
 * that process dies.
 */
@NullMarked
package dev.stepwell.broker;

import org.jspecify.annotations.NullMarked;
