@NullMarked
package dev.stepwell.cli.log;

import org.jspecify.annotations.NullMarked;
