package dev.stepwell.cli.eval;

/** Takes each task's verdict once it is there; called by one thread. */
interface Verdicts {
  /** Takes a verdict: when it returns, an interruption doesn't lose it. */
  void take(TaskVerdict verdict);
}
