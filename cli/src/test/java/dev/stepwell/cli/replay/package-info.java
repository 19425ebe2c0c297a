@NullMarked
package dev.stepwell.cli.replay;

import org.jspecify.annotations.NullMarked;
