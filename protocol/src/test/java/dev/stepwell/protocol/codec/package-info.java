@NullMarked
package dev.stepwell.protocol.codec;

import org.jspecify.annotations.NullMarked;
