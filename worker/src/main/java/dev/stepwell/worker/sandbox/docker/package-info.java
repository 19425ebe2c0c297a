/**
 * Sandboxes by a Docker engine, on this machine or another.
 *
 * <p>One factory, {@link dev.stepwell.worker.sandbox.docker.DockerBackend}. The engine's interface
 * is spoken by docker-java; only the connection that carries a container's standard streams is our
 * own, because it must be read no faster than its reader, and be closed in one direction.
 */
@NullMarked
package dev.stepwell.worker.sandbox.docker;

import org.jspecify.annotations.NullMarked;
