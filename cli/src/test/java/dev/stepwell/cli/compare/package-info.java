@NullMarked
package dev.stepwell.cli.compare;

import org.jspecify.annotations.NullMarked;
