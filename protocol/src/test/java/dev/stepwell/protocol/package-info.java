@NullMarked
package dev.stepwell.protocol;

import org.jspecify.annotations.NullMarked;
