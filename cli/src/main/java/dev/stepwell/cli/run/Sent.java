package dev.stepwell.cli.run;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A request that is on its way, or answered and not yet finished; immutable but for its last two.
 *
 * @param id the request's id
 * @param partition the partition that it and its result lie in
 * @param requestFloor the offset that is held for it in the request topic
 * @param resultFloor the offset that is held for it in the result topic
 * @param bytes how much room it takes while it has no answer
 * @param publishedAtMs milliseconds since the epoch; 0 where an earlier process published it
 * @param answer completes with what came of it
 * @param settled becomes true when it is known what came of it, before the future tells
 */
record Sent(
    String id,
    int partition,
    long requestFloor,
    long resultFloor,
    long bytes,
    long publishedAtMs,
    CompletableFuture<Answer> answer,
    AtomicBoolean settled) {}
