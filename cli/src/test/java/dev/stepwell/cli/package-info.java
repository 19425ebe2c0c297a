@NullMarked
package dev.stepwell.cli;

import org.jspecify.annotations.NullMarked;
