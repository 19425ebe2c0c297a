/**
 * Tells in which ways two results of the same request differ.
 *
 * <p>{@link dev.stepwell.cli.compare.Comparison} compares, {@link
 * dev.stepwell.cli.compare.IgnoreRules} say what is known to vary, and {@link
 * dev.stepwell.cli.compare.States} tells what is in a state.
 */
@NullMarked
package dev.stepwell.cli.compare;

import org.jspecify.annotations.NullMarked;
