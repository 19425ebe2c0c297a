@NullMarked
package dev.stepwell.cli.run;

import org.jspecify.annotations.NullMarked;
