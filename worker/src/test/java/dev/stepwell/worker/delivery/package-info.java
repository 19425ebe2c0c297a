/**
 * What a worker promises about delivery, against a real broker in a container and real sandboxes.
 *
 * <p>Not null-marked: a result without the part that a test looks at fails the test by itself.
 */
package dev.stepwell.worker.delivery;
