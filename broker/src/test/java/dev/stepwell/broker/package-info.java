@NullMarked
package dev.stepwell.broker;

import org.jspecify.annotations.NullMarked;
