package dev.stepwell.worker.pool;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** All profiles' shelves, and the choices between them. Guarded by the {@link Ledger}'s lock. */
final class Shelves {
  private final Map<String, Shelf> byName = new LinkedHashMap<>();
  private final int maxSandboxes;

  Shelves(int maxSandboxes) {
    this.maxSandboxes = maxSandboxes;
  }

  void add(Shelf shelf) {
    String name = shelf.profile().name();
    if (byName.putIfAbsent(name, shelf) != null) {
      throw new IllegalArgumentException("two profiles of the name " + name);
    }
  }

  /**
   * @throws IllegalArgumentException if there is no such profile
   */
  Shelf get(String profile) {
    Shelf shelf = byName.get(profile);
    if (shelf == null) {
      throw new IllegalArgumentException(
          "no profile %s in the pool, only %s".formatted(profile, byName.keySet()));
    }
    return shelf;
  }

  Collection<Shelf> all() {
    return byName.values();
  }

  /** How many sandboxes have not gone. */
  int size() {
    return sum(Shelf::size);
  }

  boolean full() {
    return size() >= maxSandboxes;
  }

  /** Takers first, in the order they came; then what lacks most. Null if nothing is needed. */
  @Nullable Shelf neediest(long nowNs) {
    return byName.values().stream()
        .filter(each -> each.unserved(nowNs) > 0)
        .min(Comparator.comparingLong(Shelf::firstTicket))
        .or(
            () ->
                byName.values().stream()
                    .filter(each -> each.missing(nowNs) > 0)
                    .max(Comparator.comparingInt(each -> each.missing(nowNs))))
        .orElse(null);
  }

  /**
   * The idle sandbox to give up for a taker who waits for another profile's: the oldest of the
   * profile that can spare most. Null if none is idle, or if enough are on their way out.
   */
  @Nullable Entry victim(long nowNs) {
    int unserved = sum(each -> each.unserved(nowNs));
    if (unserved <= sum(each -> each.count(EntryState.DESTROYING))) {
      return null;
    }
    return byName.values().stream()
        .filter(each -> each.count(EntryState.IDLE) > 0)
        .max(Comparator.comparingInt(Shelf::spare))
        .map(Shelf::oldestIdle)
        .orElse(null);
  }

  PoolFigures figures(long nowNs) {
    Map<String, PoolFigures.OfProfile> figures = new LinkedHashMap<>();
    byName.forEach((name, shelf) -> figures.put(name, shelf.figures(nowNs)));
    return new PoolFigures(maxSandboxes, figures);
  }

  private int sum(ToIntFunction<Shelf> figure) {
    return byName.values().stream().mapToInt(figure).sum();
  }
}
