package dev.stepwell.cli.eval;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * How likely one of so many samples passes, estimated without bias from more of them.
 *
 * @param k of how many samples one is to pass
 * @param estimate the mean over the tasks that have so many samples, 0 to 1
 * @param tasks how many tasks these are, at least 1
 */
record PassAtK(int k, double estimate, int tasks) {
  private static final List<Integer> USUAL = List.of(1, 5, 10, 25, 100);

  /**
   * What is known about a task; immutable.
   *
   * @param samples how many have a verdict
   * @param passed how many of them passed
   */
  record Counts(int samples, int passed) {
    Counts plus(Status status) {
      return status == Status.INFRASTRUCTURE
          ? this
          : new Counts(samples + 1, passed + (status == Status.PASSED ? 1 : 0));
    }
  }

  /** The numbers to look at where nobody says: 1 and the usual ones that are few enough. */
  static List<Integer> usual(int samples) {
    return USUAL.stream().filter(k -> k == 1 || k <= samples).toList();
  }

  /**
   * The estimates for the numbers that some task has enough samples for.
   *
   * @param ks each at least 1
   */
  static List<PassAtK> of(Collection<Counts> tasks, List<Integer> ks) {
    List<PassAtK> estimates = new ArrayList<>();
    for (int k : ks) {
      double[] each =
          tasks.stream()
              .filter(task -> task.samples() >= k)
              .mapToDouble(task -> estimate(task.samples(), task.passed(), k))
              .toArray();
      if (each.length > 0) {
        double sum = 0;
        for (double one : each) {
          sum += one;
        }
        estimates.add(new PassAtK(k, sum / each.length, each.length));
      }
    }
    return estimates;
  }

  /**
   * The part of all choices of k out of n samples that have a passed one: {@code 1 - C(n-c,k) /
   * C(n,k)}, as a product, since the binomials themselves overflow.
   *
   * @param n how many samples, at least k
   * @param c how many of them passed, 0 to n
   * @param k at least 1
   */
  static double estimate(int n, int c, int k) {
    if (n - c < k) {
      return 1;
    }
    double none = 1;
    for (int i = n - c + 1; i <= n; i++) {
      none *= 1 - (double) k / i;
    }
    return 1 - none;
  }
}
