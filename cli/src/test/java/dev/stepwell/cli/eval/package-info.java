@NullMarked
package dev.stepwell.cli.eval;

import org.jspecify.annotations.NullMarked;
