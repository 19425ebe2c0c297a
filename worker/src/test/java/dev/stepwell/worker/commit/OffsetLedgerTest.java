package dev.stepwell.worker.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OffsetLedgerTest {
  @Test
  void position_isTheLowestUnfinishedOffset() {
    OffsetLedger ledger = new OffsetLedger(10, OffsetMetadata.none(10));
    ledger.received(10);
    ledger.received(11);
    ledger.received(12);

    ledger.finished(11);

    assertThat(ledger.position()).isEqualTo(10);
    assertThat(ledger.metadata().finished()).containsExactly(11L);
  }

  @Test
  void position_isPastTheNewestOffsetWhenAllIsFinished() {
    OffsetLedger ledger = new OffsetLedger(10, OffsetMetadata.none(10));
    ledger.received(10);
    ledger.received(15);

    ledger.finished(15);
    ledger.finished(10);

    assertThat(ledger.position()).isEqualTo(16);
    assertThat(ledger.metadata().finished()).isEmpty();
  }

  @Test
  void received_skipsWhatAnEarlierOwnerFinished() {
    OffsetLedger first = new OffsetLedger(0, OffsetMetadata.none(0));
    first.received(0);
    first.received(1);
    first.finished(1);
    String text = first.metadata().encode(first.position());

    OffsetLedger second = new OffsetLedger(0, OffsetMetadata.decode(0, text));
    second.received(0);
    second.received(1);
    second.finished(0);

    assertThat(second.position()).isEqualTo(2);
  }

  @Test
  void received_refusesAnOffsetThatWentBefore() {
    OffsetLedger ledger = new OffsetLedger(5, OffsetMetadata.none(5));

    assertThatThrownBy(() -> ledger.received(4)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void finished_refusesAnOffsetThatIsNotRunning() {
    OffsetLedger ledger = new OffsetLedger(5, OffsetMetadata.none(5));

    assertThatThrownBy(() -> ledger.finished(5)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void recordStart_countsAcrossOwnersUntilTheRequestIsFinished() {
    OffsetLedger first = new OffsetLedger(7, OffsetMetadata.none(7));
    first.received(7);
    assertThat(first.recordStart(7)).isEqualTo(1);
    String text = first.metadata().encode(first.position());

    OffsetLedger second = new OffsetLedger(7, OffsetMetadata.decode(7, text));
    second.received(7);
    assertThat(second.recordStart(7)).isEqualTo(2);
    second.finished(7);

    assertThat(second.metadata().starts()).isEmpty();
  }

  @Test
  void raiseStartable_marksWhatALaterOwnerMustSuspect() {
    OffsetLedger ledger = new OffsetLedger(100, OffsetMetadata.none(100));
    ledger.received(100);

    assertThat(ledger.raiseStartable()).isEqualTo(100 + OffsetLedger.START_AHEAD);
    String text = ledger.metadata().encode(ledger.position());

    assertThat(OffsetMetadata.decode(100, text).startableUpTo())
        .isEqualTo(100 + OffsetLedger.START_AHEAD);
  }

  @Test
  void nothingRuns_leavesALaterOwnerNothingToSuspect() {
    OffsetLedger ledger = new OffsetLedger(100, OffsetMetadata.none(100));
    ledger.received(100);
    ledger.raiseStartable();

    ledger.nothingRuns();

    assertThat(ledger.metadata().startableUpTo()).isLessThan(ledger.position());
  }

  /** Whatever the order and wherever an owner is lost, every request is finished exactly once. */
  @Test
  void ledger_survivesLosingItsOwnerAtAnyMoment() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Set<Long> done = new TreeSet<>();
      long log = 60L + random.nextInt(100);
      long position = 0;
      OffsetMetadata left = OffsetMetadata.none(0);
      while (position < log) {
        OffsetLedger ledger = new OffsetLedger(position, left);
        Set<Long> known = ledger.finishedAbove();
        TreeSet<Long> running = new TreeSet<>();
        Set<Long> uncommitted = new TreeSet<>();
        long next = position;
        int life = random.nextInt(80);
        for (int i = 0; i < life; i++) {
          if (next < log && random.nextBoolean()) {
            ledger.received(next);
            if (!known.contains(next)) {
              running.add(next);
            }
            next++;
          } else if (!running.isEmpty()) {
            long chosen = running.stream().skip(random.nextInt(running.size())).findFirst().get();
            running.remove(chosen);
            ledger.finished(chosen);
            uncommitted.add(chosen);
          }
          if (random.nextInt(5) == 0) {
            position = ledger.position();
            left = OffsetMetadata.decode(position, ledger.metadata().encode(position));
            for (long offset : uncommitted) {
              assertThat(done.add(offset)).as("seed %d: %d finished twice", seed, offset).isTrue();
            }
            uncommitted.clear();
          }
        }
      }
      assertThat(done).as("seed %d", seed).hasSize((int) log);
    }
  }
}
