/** How a command's process ends: with which code, after which sentence, and having closed what. */
@NullMarked
package dev.stepwell.cli.process;

import org.jspecify.annotations.NullMarked;
