package dev.stepwell.worker.pool;

import static org.awaitility.Awaitility.await;

import dev.stepwell.worker.runner.ReadyRunner;
import dev.stepwell.worker.sandbox.Profile;
import dev.stepwell.worker.sandbox.SandboxLimits;
import dev.stepwell.worker.sandbox.StepLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/** A pool over fakes, with a clock that stands still. Built and closed by one test. */
final class PoolFixture implements AutoCloseable {
  /** Long enough never to be reached by a test that passes. */
  static final Duration LONG = Duration.ofSeconds(30);

  final FakeStarter starter = new FakeStarter();
  final ManualClock clock = new ManualClock();
  final SandboxPool pool;

  private PoolFixture(Builder builder) {
    builder.prepare.run(starter);
    Surroundings surroundings =
        new Surroundings(
            clock, () -> builder.random, Objects.requireNonNullElse(builder.alive, starter::alive));
    pool =
        SandboxPool.start(
            starter,
            builder.profiles,
            new PoolSettings(
                builder.maxSandboxes,
                builder.creators,
                2,
                builder.idleLifetimeMs,
                new PoolSettings.Retry(builder.attempts, builder.backoffMs, 5_000)),
            surroundings);
  }

  /** Looks often: what is awaited takes well under a millisecond. */
  static ConditionFactory eventually() {
    return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
  }

  ReadyRunner take(String profile) throws Exception {
    return pool.take(profile, LONG);
  }

  PoolFigures.OfProfile figures(String profile) {
    return Objects.requireNonNull(pool.figures().profiles().get(profile));
  }

  void awaitFigures(String profile, Predicate<PoolFigures.OfProfile> condition) {
    eventually().until(() -> figures(profile), condition);
  }

  void awaitIdle(String profile, int count) {
    awaitFigures(profile, each -> each.idle() == count && each.starting() == 0);
  }

  /** Moves the clock, and has the pool notice. */
  void advance(Duration by) {
    clock.advance(by);
    pool.tidy();
  }

  @Override
  public void close() {
    starter.letStart(1_000);
    pool.close(LONG);
  }

  static Builder builder() {
    return new Builder();
  }

  interface Preparation {
    void run(FakeStarter starter);
  }

  /** Collects what differs from a pool of at most 100 sandboxes, with two creators. */
  static final class Builder {
    private final List<PoolProfile> profiles = new ArrayList<>();
    private int maxSandboxes = 100;
    private int creators = 2;
    private long idleLifetimeMs;
    private int attempts = 1;
    private long backoffMs = 1;
    private double random = 0.5;
    private Preparation prepare = starter -> {};
    private @Nullable Predicate<ReadyRunner> alive;

    Builder profile(String name, int minIdle, int maxIdle) {
      profiles.add(new PoolProfile(PoolFixture.profile(name), minIdle, maxIdle));
      return this;
    }

    Builder maxSandboxes(int count) {
      maxSandboxes = count;
      return this;
    }

    Builder creators(int count) {
      creators = count;
      return this;
    }

    Builder idleLifetime(Duration lifetime) {
      idleLifetimeMs = lifetime.toMillis();
      return this;
    }

    Builder retry(int tries, Duration backoff) {
      attempts = tries;
      backoffMs = backoff.toMillis();
      return this;
    }

    Builder random(double value) {
      random = value;
      return this;
    }

    Builder starter(Preparation preparation) {
      prepare = preparation;
      return this;
    }

    Builder alive(Predicate<ReadyRunner> answer) {
      alive = answer;
      return this;
    }

    PoolFixture start() {
      return new PoolFixture(this);
    }
  }

  static Profile profile(String name) {
    StepLimits.Bounds bounds = new StepLimits.Bounds(1_000, 1 << 20, 1 << 10, 1 << 10);
    return new Profile(
        name,
        "image",
        null,
        "python3",
        List.of(),
        Map.of(),
        new SandboxLimits(1 << 20, 8, 1_000, 1 << 20),
        new StepLimits(bounds, bounds));
  }
}
