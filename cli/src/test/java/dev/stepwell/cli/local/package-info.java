@NullMarked
package dev.stepwell.cli.local;

import org.jspecify.annotations.NullMarked;
