/**
 * The command line: what {@code bin/stepwell} runs.
 *
 * <p>A command reads its options, calls the client or starts what it needs by {@link
 * dev.stepwell.cli.local}, and prints. Results go to standard output, everything else to standard
 * error. {@link dev.stepwell.cli.process.ExitCodes} says what commands exit with.
 */
@NullMarked
package dev.stepwell.cli;

import org.jspecify.annotations.NullMarked;
