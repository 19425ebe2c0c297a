package dev.stepwell.worker.pool;

import dev.stepwell.worker.runner.ReadyRunner;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * What a pool takes from outside and a test replaces; immutable.
 *
 * @param nanoTime a clock that only differences are taken of; thread-safe, never blocks
 * @param random from 0 to below 1; called by one thread at a time
 * @param alive whether an unused runner still waits for its step; thread-safe, may block for a
 *     second
 */
record Surroundings(LongSupplier nanoTime, DoubleSupplier random, Predicate<ReadyRunner> alive) {
  static Surroundings real() {
    return new Surroundings(
        System::nanoTime, new SplittableRandom()::nextDouble, ReadyRunner::alive);
  }
}
