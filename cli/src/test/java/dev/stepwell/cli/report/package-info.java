@NullMarked
package dev.stepwell.cli.report;

import org.jspecify.annotations.NullMarked;
