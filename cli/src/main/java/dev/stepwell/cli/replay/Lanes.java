package dev.stepwell.cli.replay;

import dev.stepwell.cli.run.Answer;
import dev.stepwell.cli.run.Courier;
import dev.stepwell.cli.run.CourierException;
import dev.stepwell.protocol.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes cases, those of a key in their order, all others as soon as they may: once it is known
 * what they start from, and as many as may be under way. Owned by the thread that drives the
 * replay.
 */
final class Lanes {
  /** How many cases may wait for others before no more are taken. */
  private static final int MAX_UNPUBLISHED = 10_000;

  private final Courier courier;
  private final RequestMapper mapper;
  private final Origins origins;
  private final RecordedResults results;
  private final Judge judge;
  private final ReplaySettings settings;
  private final Events events;

  /** By key; those that have anything to do. */
  private final Map<String, Lane> lanes = new HashMap<>();

  /** Those that may be able to publish, where they weren't before. */
  private final LinkedHashSet<Lane> ready = new LinkedHashSet<>();

  private int unpublished;

  /** How many requests have no answer. */
  private int inFlight;

  /** How many lanes have requests without an answer. */
  private int underWay;

  Lanes(
      Courier courier,
      RequestMapper mapper,
      Origins origins,
      RecordedResults results,
      Judge judge,
      ReplaySettings settings,
      Events events) {
    this.courier = courier;
    this.mapper = mapper;
    this.origins = origins;
    this.results = results;
    this.judge = judge;
    this.settings = settings;
    this.events = events;
  }

  /** Whether no more cases should be admitted. */
  boolean full() {
    return unpublished >= MAX_UNPUBLISHED || inFlight >= settings.maxInFlight();
  }

  /** Whether every case that was admitted is answered, or never will be. */
  boolean idle() {
    return unpublished == 0 && inFlight == 0;
  }

  /** Takes a case, behind all others of its key. */
  void admit(Case each) throws InterruptedException {
    origins.admit(each);
    Lane lane = lanes.computeIfAbsent(each.request.key(), Lane::new);
    lane.waiting.add(each);
    unpublished++;
    pump(lane);
  }

  /** Publishes what could not be published before. */
  void pump() throws InterruptedException {
    List<Lane> now = new ArrayList<>(ready);
    ready.clear();
    for (Lane lane : now) {
      pump(lane);
    }
  }

  private void pump(Lane lane) throws InterruptedException {
    while (!lane.blocked && !lane.waiting.isEmpty()) {
      Case first = lane.waiting.element();
      String reason = origins.leftOut(first);
      if (reason != null) {
        skipFirst(lane, reason);
      } else if (mayPublish(lane)) {
        proceed(lane, origins.of(first, () -> unblock(lane)));
      } else {
        ready.add(lane);
        return;
      }
    }
    if (lane.idle() && !lane.blocked) {
      lanes.remove(lane.key);
    }
  }

  private boolean mayPublish(Lane lane) {
    return inFlight < settings.maxInFlight()
        && (lane.outstanding > 0 || underWay < settings.sessions());
  }

  private void proceed(Lane lane, Origin origin) throws InterruptedException {
    if (origin instanceof Origin.Known known) {
      publishFirst(lane, known.base());
    } else if (origin instanceof Origin.Missing missing) {
      skipFirst(lane, missing.reason());
    } else if (origin instanceof Origin.Unbegun unbegun) {
      begin(lane, unbegun);
    } else {
      lane.blocked = true;
    }
  }

  private void unblock(Lane lane) {
    lane.blocked = false;
    ready.add(lane);
  }

  private void skipFirst(Lane lane, String reason) throws InterruptedException {
    Case first = takeFirst(lane);
    if (first.copy == 0) {
      results.drop(first);
    }
    origins.gone(first);
    judge.skipped(first, reason);
  }

  private Case takeFirst(Lane lane) {
    unpublished--;
    return lane.waiting.remove();
  }

  private void publishFirst(Lane lane, @Nullable String base) throws InterruptedException {
    Case first = takeFirst(lane);
    Request request = mapper.map(first, base);
    if (first.copy > 0) {
      courier.sendAgain(request, first.copy);
      judge.copied(first);
      return;
    }
    send(
        lane,
        request,
        (answer, failure) -> {
          first.answer = answer;
          first.failure = failure;
          results.answered(first);
        });
  }

  /** Sends a request of the replay's own before the first of a session. */
  private void begin(Lane lane, Origin.Unbegun unbegun) throws InterruptedException {
    lane.blocked = true;
    send(
        lane,
        unbegun.fork(),
        (answer, failure) -> {
          lane.blocked = false;
          origins.begun(unbegun, answer);
        });
  }

  /** Takes an answer, or why there is none, on the thread that drives. */
  private interface Answered {
    void take(@Nullable Answer answer, @Nullable CourierException failure);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What hangs on it tells.
  private void send(Lane lane, Request request, Answered answered) throws InterruptedException {
    inFlight++;
    if (lane.outstanding++ == 0) {
      underWay++;
    }
    courier
        .send(request)
        .whenComplete(
            (answer, failure) ->
                events.add(
                    () -> {
                      inFlight--;
                      if (--lane.outstanding == 0) {
                        underWay--;
                      }
                      answered.take(answer, failure == null ? null : explained(failure));
                      pump(lane);
                    }));
  }

  /** What ends the replay is thrown; what is about one request is given. */
  private static CourierException explained(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (!(cause instanceof CourierException about)) {
      throw new IllegalStateException("no answer", cause);
    }
    switch (about.kind()) {
      case BROKEN, CLOSED -> throw about;
      case TOO_LARGE, REFUSED, UNREADABLE -> {
        return about;
      }
    }
    throw new IllegalStateException("no such kind", about);
  }
}
