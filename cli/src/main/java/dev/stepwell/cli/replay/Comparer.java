package dev.stepwell.cli.replay;

import dev.stepwell.cli.compare.Difference;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Request;
import java.util.List;

/** Tells in which ways two results differ; thread-safe, may block. */
@FunctionalInterface
interface Comparer {
  List<Difference> compare(Request request, ExecutionResult recorded, ExecutionResult replayed);

  /** What was compared last on this thread is recorded: whatever that needed can be let go. */
  default void recorded() {}
}
