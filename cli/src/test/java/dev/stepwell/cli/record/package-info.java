@NullMarked
package dev.stepwell.cli.record;

import org.jspecify.annotations.NullMarked;
