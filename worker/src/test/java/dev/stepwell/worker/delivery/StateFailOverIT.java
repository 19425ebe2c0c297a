package dev.stepwell.worker.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import dev.stepwell.protocol.StepKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sessions whose worker is killed between every two of their steps, with {@code kill -9}. */
@Timeout(300)
class StateFailOverIT extends DeliveryFixture {
  /** Long enough for two steps within its first half, also on a busy machine. */
  private static final Duration RETENTION = Duration.ofSeconds(30);

  @TempDir private Path folder;

  @Test
  void killedBetweenAnyTwoSteps_theNextWorkerSeesTheSameState() throws Exception {
    playWithAKillAfterEachStep(Map.of());
  }

  @Test
  void killedBetweenAnyTwoSteps_withLargePiecesInAnObjectStore() throws Exception {
    Path store = Files.createDirectory(folder.resolve("store"));
    playWithAKillAfterEachStep(Map.of("object.store", store.toString(), "claim.check", "64KiB"));
    try (Stream<Path> objects = Files.walk(store)) {
      assertThat(objects.filter(Files::isRegularFile).count()).isGreaterThan(8);
    }
  }

  @Test
  void stateThatIsGone_isNoFaultOfTheStep_andOthersGoOn() throws Exception {
    Path store = Files.createDirectory(folder.resolve("store"));
    Map<String, String> settings = Map.of("object.store", store.toString(), "claim.check", "64KiB");
    String session = UUID.randomUUID().toString();
    try (WorkerJvm worker = start(settings)) {
      ExecutionResult made =
          publisher()
              .run(
                  Publisher.python(
                      session, "import random\nbig = bytearray(random.randbytes(4 << 20)); n = 1"));
      assertThat(made.state().saved()).isTrue();
      worker.kill();
    }
    try (Stream<Path> objects = Files.walk(store)) {
      for (Path object : objects.filter(Files::isRegularFile).toList()) {
        Files.delete(object);
      }
    }
    try (WorkerJvm worker = start(settings)) {
      assertThat(worker.pid()).isPositive();
      ExecutionResult needsIt = publisher().run(Publisher.python(session, "len(big)"));
      assertThat(needsIt.outcome()).as(needsIt.toString()).isEqualTo(Outcome.INFRASTRUCTURE);
      assertThat(needsIt.error().code()).isEqualTo(ErrorCode.STATE_UNREADABLE);
      ExecutionResult doesNot = publisher().run(Publisher.python(session, "n += 1\nn"));
      assertThat(doesNot.outcome()).as(doesNot.toString()).isEqualTo(Outcome.COMPLETED);
      assertThat(doesNot.value().text()).isEqualTo("2");
    }
  }

  @Test
  void whatWouldExpire_isWrittenAgainByTheStepThatCarriesItOn() throws Exception {
    TestKafka.keepFor(topics.blobs(), RETENTION);
    String session = UUID.randomUUID().toString();
    try (WorkerJvm worker = start(Map.of())) {
      assertThat(worker.pid()).isPositive();
      publisher()
          .run(
              Publisher.python(
                  session,
                  "import random\nbig = bytearray(random.randbytes(1 << 20))\n"
                      + "open('f', 'wb').write(random.randbytes(200_000))"));
      assertThat(newBytes(session, "n = 1")).isLessThan(100_000);
      Thread.sleep(RETENTION.toMillis() / 2 + 1_000);
      assertThat(newBytes(session, "n = 2")).isGreaterThan((1 << 20) + 200_000);
      assertThat(newBytes(session, "n = 3")).isLessThan(100_000);
      ExecutionResult whole =
          publisher().run(Publisher.python(session, "len(big), len(open('f', 'rb').read()), n"));
      assertThat(whole.value().text()).isEqualTo("(1048576, 200000, 3)");
    }
  }

  private long newBytes(String session, String source) {
    return publisher().run(Publisher.python(session, source)).state().newBytes();
  }

  private void playWithAKillAfterEachStep(Map<String, String> more) throws Exception {
    String session = UUID.randomUUID().toString();
    List<ExecutionRequest> steps =
        List.of(
            Publisher.python(
                session,
                """
                import os, random, zlib
                big = bytearray(random.randbytes(4 << 20))
                sum_ = zlib.crc32(big)
                a = [1]
                b = a
                def f(): return later
                os.makedirs('d')
                open('d/f', 'w').write('1')
                """),
            Publisher.shell(session, "printf 2 >> d/f; head -c 700000 /dev/zero > zero"),
            Publisher.python(
                session,
                "b.append(2); old = big[3_000_000]; big[3_000_000] = 255 - old; later = 5"),
            Publisher.shell(session, "printf 3 >> d/f; rm zero"),
            Publisher.python(
                session,
                "changed = zlib.crc32(big) != sum_; big[3_000_000] = old\n"
                    + "a, a is b, f(), changed, zlib.crc32(big) == sum_, open('d/f').read(),"
                    + " os.listdir('.')"));
    ExecutionResult last = null;
    for (ExecutionRequest step : steps) {
      try (WorkerJvm worker = start(more)) {
        last = publisher().run(step);
        assertThat(last.outcome()).as(last.toString()).isEqualTo(Outcome.COMPLETED);
        worker.kill();
      }
    }
    assertThat(last.value().text()).isEqualTo("([1, 2], True, 5, True, True, '123', ['d'])");
    assertThat(valueAfterStep(2, session, more)).isEqualTo("[1], True, '12', 700000");
  }

  /** Looks at the past, by a reference that one worker issues and another one follows. */
  private String valueAfterStep(long step, String session, Map<String, String> more)
      throws Exception {
    SessionRequest locate =
        new SessionRequest(
            UUID.randomUUID().toString(), session, new SessionOperation.Locate(step), null, null);
    String reference;
    try (WorkerJvm worker = start(more)) {
      publisher().publish(locate);
      reference =
          ((SessionAnswer.Located) publisher().await(locate.requestId()).session()).reference();
      worker.kill();
    }
    String source =
        "print(a, zlib.crc32(big) == sum_, repr(open('d/f').read()),"
            + " len(open('zero').read()), sep=', ')";
    ExecutionRequest look =
        new ExecutionRequest(
            UUID.randomUUID().toString(),
            null,
            StepKind.PYTHON,
            source,
            List.of(),
            null,
            null,
            RequestLimits.DEFAULTS,
            Map.of(),
            null,
            null,
            List.of(),
            List.of(),
            false,
            reference,
            null);
    try (WorkerJvm worker = start(more)) {
      assertThat(worker.pid()).isPositive();
      return publisher().run(look).stdout().strip();
    }
  }

  private WorkerJvm start(Map<String, String> more) throws Exception {
    List<String> settings = new ArrayList<>(List.of("slots", "1"));
    more.forEach(
        (name, value) -> {
          settings.add(name);
          settings.add(value);
        });
    return WorkerJvm.start(settings(settings.toArray(new String[0]))).awaitReady();
  }
}
