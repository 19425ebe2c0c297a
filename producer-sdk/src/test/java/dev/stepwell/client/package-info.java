@NullMarked
package dev.stepwell.client;

import org.jspecify.annotations.NullMarked;
