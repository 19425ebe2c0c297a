/**
 * How a command's process ends: with which code, after which sentence, and having closed what; and
 * what it prints on.
 */
@NullMarked
package dev.stepwell.cli.process;

import org.jspecify.annotations.NullMarked;
