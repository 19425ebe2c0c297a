@NullMarked
package dev.stepwell.cli.progress;

import org.jspecify.annotations.NullMarked;
