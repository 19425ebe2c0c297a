package dev.stepwell.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.cli.local.BackendName;
import dev.stepwell.cli.local.LocalOptions;
import dev.stepwell.cli.local.LocalStack;
import dev.stepwell.client.Execution;
import dev.stepwell.client.ForkOptions;
import dev.stepwell.client.RequestRejectedException;
import dev.stepwell.client.Session;
import dev.stepwell.client.Step;
import dev.stepwell.client.Stepwell;
import dev.stepwell.protocol.Artifact;
import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.HistoryEntry;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.StateReport;
import dev.stepwell.protocol.WorkspaceEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a session keeps, as a client sees it: with a real broker, worker and bubblewrap. */
@Timeout(300)
@NullUnmarked // Looks into answers that it knows to be there.
final class SessionsIT {
  private static LocalStack stack;
  private static Stepwell client;

  @BeforeAll
  static void start() throws InterruptedException {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/bwrap")), "skipped: there is no /usr/bin/bwrap");
    System.setProperty("stepwell.home", Path.of("..").toAbsolutePath().normalize().toString());
    stack = LocalStack.start(LocalOptions.temporary(BackendName.BUBBLEWRAP, List.of(), 2));
    client = Stepwell.builder(stack.bootstrap()).answerTimeout(Duration.ofMinutes(2)).connect();
  }

  @AfterAll
  static void stop() {
    if (client != null) {
      client.close();
    }
    if (stack != null) {
      stack.close();
    }
  }

  private static String value(ExecutionResult result) {
    assertThat(result.outcome()).as(result.toString()).isEqualTo(Outcome.COMPLETED);
    return result.value().text();
  }

  private static String out(ExecutionResult result) {
    assertThat(result.outcome()).as(result.toString()).isEqualTo(Outcome.COMPLETED);
    return result.stdout().strip();
  }

  // Variables.

  @Test
  void variables_areWhatALiveInterpreterWouldHave() {
    Session session = client.newSession();
    session.run("a = [1]\nb = a\ndef f():\n    return later\nclass C:\n    n = 1\nc = C()");
    session.run("b.append(2)\nlater = 5\nC.n = 7");

    assertThat(value(session.run("a, a is b, f(), c.n, type(c) is C")))
        .isEqualTo("([1, 2], True, 5, 7, True)");
  }

  @Test
  void stepThatTouchesLittle_storesLittle() {
    Session session = client.newSession();
    StateReport first =
        session.run("big = bytearray(8 << 20)\nn = 0\ndata = list(range(200_000))").state();
    assertThat(first.bytes()).isGreaterThan(8 << 20);

    StateReport next = session.run("n += 1").state();

    assertThat(next.saved()).isTrue();
    assertThat(next.bytes()).isGreaterThan(8 << 20);
    assertThat(next.newBytes()).isLessThan(64 << 10);
    assertThat(value(session.run("n, len(big), sum(data)"))).isEqualTo("(1, 8388608, 19999900000)");
  }

  @Test
  void whatCannotBeKept_isToldAndExplainedLater() {
    Session session = client.newSession();
    ExecutionResult made =
        session.run("ok = 1\nimport socket\ns = socket.create_server(('127.0.0.1', 0))");
    assertThat(made.state().saved()).isTrue();
    assertThat(made.state().lost())
        .anySatisfy(
            lost -> {
              assertThat(lost.path()).isEqualTo("s");
              assertThat(lost.type()).contains("socket");
              assertThat(lost.reason()).isNotBlank();
              assertThat(lost.hint()).isNotBlank();
            });

    ExecutionResult used = session.run("s.accept()");
    assertThat(used.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(used.exception().traceback()).contains("was not kept");
    assertThat(value(session.run("ok"))).isEqualTo("1");
  }

  @Test
  void strictStep_leavesAllOrNothing() {
    Session session = client.newSession();
    session.run("x = 1");

    ExecutionResult strict =
        session.run(
            Step.python("x = 2\nimport socket\ns = socket.create_server(('127.0.0.1', 0))")
                .strictState());

    assertThat(strict.outcome()).isEqualTo(Outcome.COMPLETED);
    assertThat(strict.state().saved()).isFalse();
    assertThat(value(session.run("x"))).isEqualTo("1");
  }

  @Test
  void stepBeyondTheCap_keepsWhatFitsAndNeverAnOldValue() {
    Session session = client.newSession();
    session.run("small = 1\nlarge = b'old'");

    ExecutionResult over =
        session.run(
            Step.python("import os\nsmall = 2\nlarge = os.urandom(3 << 20)").stateBytes(2 << 20));

    assertThat(over.state().saved()).isTrue();
    assertThat(over.state().lost()).anySatisfy(lost -> assertThat(lost.path()).isEqualTo("large"));
    assertThat(value(session.run("small, 'large' in globals()"))).isEqualTo("(2, False)");
  }

  // Files.

  @Test
  void workspace_isThereForStepsOfEveryKind_andTmpIsNot() {
    Session session = client.newSession();
    session.run(
        "import os\nos.makedirs('d/e')\nopen('d/e/f', 'w').write('one')\nopen('/tmp/t', 'w')");
    session.run(Step.shell("printf two >> d/e/f; ln -s f d/e/l; chmod 750 d/e/f; ls /tmp > tmp"));
    ExecutionResult argv = session.run(Step.argv("cat", "d/e/l"));

    assertThat(out(argv)).isEqualTo("onetwo");
    assertThat(argv.state().files()).isEqualTo(5);
    assertThat(value(session.run("oct(os.stat('d/e/f').st_mode), open('tmp').read()")))
        .isEqualTo("('0o100750', '')");
  }

  @Test
  void variablesAndFiles_areKeptTogetherOrNotAtAll() {
    Session session = client.newSession();
    session.run("x = 1\nopen('f', 'w').write('1')");

    ExecutionResult timedOut =
        session.run(
            Step.python("x = 2\nopen('f', 'w').write('2')\nimport time\ntime.sleep(60)")
                .wallTime(Duration.ofMillis(500)));
    assertThat(timedOut.outcome()).isEqualTo(Outcome.TIMED_OUT);
    assertThat(value(session.run("x, open('f').read()"))).isEqualTo("(1, '1')");

    session.run("x = 3\nopen('f', 'w').write('3')\nraise ValueError");
    assertThat(value(session.run("x, open('f').read()"))).isEqualTo("(3, '3')");
  }

  @Test
  void filesArePutListedReadAndRemoved_withoutAStep() {
    Session session = client.newSession();
    byte[] large = new byte[1_500_000];
    new Random(1).nextBytes(large);
    session.files().put(Map.of("in/large.bin", large, "in/é.txt", "text".getBytes(UTF_8)));

    assertThat(session.files().list())
        .extracting(WorkspaceEntry::path)
        .containsExactly("in", "in/large.bin", "in/é.txt");
    assertThat(session.files().get("in/large.bin")).isEqualTo(large);
    assertThat(
            value(session.run("open('in/é.txt').read(), len(open('in/large.bin', 'rb').read())")))
        .isEqualTo("('text', 1500000)");
    session.files().remove("in/large.bin");
    assertThat(out(session.run(Step.shell("ls in")))).isEqualTo("é.txt");
    assertThatThrownBy(() -> session.files().get("in/large.bin"))
        .isInstanceOfSatisfying(
            RequestRejectedException.class,
            e -> assertThat(e.result().error().code()).isEqualTo(ErrorCode.FILE_NOT_FOUND));
  }

  @Test
  void artifacts_comeBackInlineOrStayInTheWorkspace() {
    Session session = client.newSession();
    ExecutionResult result =
        session.run(
            Step.shell(
                    "mkdir out; printf a > out/a.txt; printf b > out/b.txt;"
                        + " head -c 400000 /dev/zero > out/z.bin; ln -s /etc/passwd out/p.txt")
                .artifact("out/*.txt", "out/z.bin", "nothing"));

    Map<String, Artifact> byPath = new java.util.HashMap<>();
    result.artifacts().forEach(artifact -> byPath.put(artifact.path(), artifact));
    assertThat(byPath.get("out/a.txt").content().toArray()).isEqualTo("a".getBytes(UTF_8));
    assertThat(byPath.get("out/b.txt").content().toArray()).isEqualTo("b".getBytes(UTF_8));
    assertThat(byPath.get("out/z.bin").content()).isNull();
    assertThat(byPath.get("out/z.bin").bytes()).isEqualTo(400_000);
    assertThat(byPath.get("out/p.txt").problem()).isEqualTo(Artifact.Problem.LINK);
    assertThat(byPath.get("nothing").problem()).isEqualTo(Artifact.Problem.MISSING);
    assertThat(session.files().get("out/z.bin")).hasSize(400_000);
  }

  @Test
  void oneShot_bringsAndTakesFilesAndLeavesNone() {
    ExecutionResult result =
        client.run(
            Step.shell("tr a-z A-Z < in.txt > out.txt")
                .file("in.txt", "shout".getBytes(UTF_8))
                .artifact("out.txt"));

    assertThat(result.artifacts()).hasSize(1);
    assertThat(result.artifacts().get(0).content().toArray()).isEqualTo("SHOUT".getBytes(UTF_8));
    assertThat(out(client.run(Step.shell("ls")))).isEmpty();
  }

  @Test
  void hostileEntries_areRefusedOneByOne() {
    Session session = client.newSession();
    ExecutionResult result =
        session.run(
            """
            import os, socket
            os.mkfifo('fifo')
            s = socket.socket(socket.AF_UNIX); s.bind('sock'); s.close(); del s
            os.symlink('/etc/shadow', 'shadow'); os.symlink('..', 'up')
            open(b'bad-\\xff', 'w').close()
            open('good', 'w').write('kept'); os.link('good', 'twin')
            os.makedirs('dark/in'); open('dark/in/f', 'w').write('f'); os.chmod('dark', 0)
            open('suid', 'w').close(); os.chmod('suid', 0o4755)
            """);

    assertThat(result.state().saved()).as(result.toString()).isTrue();
    assertThat(result.state().lost())
        .extracting(lost -> lost.path().replaceAll("bad-.*", "bad"))
        .contains("/workspace/fifo", "/workspace/sock", "/workspace/bad");
    assertThat(session.files().get("twin")).isEqualTo("kept".getBytes(UTF_8));
    assertThat(session.files().get("dark/in/f")).isEqualTo("f".getBytes(UTF_8));
    assertThatThrownBy(() -> session.files().get("shadow"))
        .isInstanceOf(RequestRejectedException.class);
    assertThat(
            value(
                session.run(
                    "os.readlink('shadow'), oct(os.stat('suid').st_mode),"
                        + " oct(os.stat('dark').st_mode)")))
        .isEqualTo("('/etc/shadow', '0o100755', '0o40000')");
  }

  // Forks and the past.

  @Test
  void forks_goTheirOwnWaysFromAnyStep() {
    Session session = client.newSession();
    for (int step = 1; step <= 5; step++) {
      session.run("n = %d\nopen('f', 'w').write('%d')".formatted(step, step));
    }

    Session fork = session.fork(2);
    assertThat(value(fork.run("n, open('f').read()"))).isEqualTo("(2, '2')");
    ExecutionResult gone = fork.run("n += 100\nopen('f', 'a').write('x')\nn");
    assertThat(gone.step()).isEqualTo(4);
    assertThat(value(session.run("n, open('f').read()"))).isEqualTo("(5, '5')");
    assertThat(value(fork.fork().run("n, open('f').read()"))).isEqualTo("(102, '2x')");
    assertThat(value(session.at(3).run("n += 1\nn"))).isEqualTo("4");
    assertThat(value(session.at(3).run("n"))).isEqualTo("3");
    assertThat(session.at(1).files().get("f")).isEqualTo("1".getBytes(UTF_8));
  }

  @Test
  void forks_haveTheSameRandomNumbersUnlessReseeded() {
    Session session = client.newSession();
    session.run("import random\nrandom.seed(7)");
    String next = value(session.at(1).run("random.random()"));

    assertThat(value(session.fork(1).run("random.random()"))).isEqualTo(next);
    Set<String> reseeded = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      Session fork = session.fork(1, ForkOptions.defaults().reseed());
      reseeded.add(value(fork.run("random.random()")));
    }
    assertThat(reseeded).hasSize(3).doesNotContain(next);
  }

  @Test
  void sixtyFourForksAtOnce_differByWhatEachDid() {
    Session session = client.newSession();
    session.run("data = bytearray(4 << 20)\nshared = ['base']\nopen('f', 'w').write('base')");
    List<Session> forks = session.forks(1, 64);
    List<Execution> running = new ArrayList<>();
    for (int i = 0; i < forks.size(); i++) {
      running.add(
          forks
              .get(i)
              .submit(
                  Step.python(
                      "shared.append(%d)\ndata[%d] = 1\nopen('f', 'a').write('%d')"
                          .formatted(i, i * 1000, i))));
    }
    for (int i = 0; i < forks.size(); i++) {
      ExecutionResult result = running.get(i).await();
      assertThat(result.outcome()).as(result.toString()).isEqualTo(Outcome.COMPLETED);
      // Of 4 MiB each has changed one piece.
      assertThat(result.state().newBytes()).isBetween(1L << 19, 600L << 10);
      assertThat(
              value(
                  forks
                      .get(i)
                      .run(
                          "shared, [i for i in range(0, 64000, 1000) if data[i]], open('f').read()")))
          .isEqualTo("(['base', %d], [%d], 'base%d')".formatted(i, i * 1000, i));
    }
    assertThat(value(session.run("shared, sum(data)"))).isEqualTo("(['base'], 0)");
  }

  @Test
  void history_tellsEveryStepThatLeftAState() {
    Session session = client.newSession();
    session.run("a = 1");
    session.run("raise ValueError");
    session.run(Step.python("while True: pass").wallTime(Duration.ofMillis(300)));
    session.run("a = 2");

    assertThat(session.history())
        .extracting(HistoryEntry::step, HistoryEntry::outcome)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(4L, Outcome.COMPLETED),
            org.assertj.core.groups.Tuple.tuple(2L, Outcome.FAILED),
            org.assertj.core.groups.Tuple.tuple(1L, Outcome.COMPLETED));
    assertThat(session.history()).allMatch(HistoryEntry::retained);
    // Step 3 left the state as it was.
    assertThat(value(session.at(3).run("a"))).isEqualTo("1");
    assertThatThrownBy(() -> session.at(5))
        .isInstanceOfSatisfying(
            RequestRejectedException.class,
            e -> assertThat(e.result().error().code()).isEqualTo(ErrorCode.STEP_UNKNOWN));
  }

  @Test
  void resetSession_isEmptyAndCountsOn_andAnEndedOneIsGone() {
    Session session = client.newSession();
    session.run("a = 1\nopen('f', 'w').close()");
    session.reset();
    ExecutionResult after = session.run("'a' in globals(), __import__('os').listdir('.')");
    assertThat(value(after)).isEqualTo("(False, [])");
    assertThat(after.step()).isEqualTo(3);

    session.end();
    assertThatThrownBy(session::history)
        .isInstanceOfSatisfying(
            RequestRejectedException.class,
            e -> assertThat(e.result().error().code()).isEqualTo(ErrorCode.SESSION_UNKNOWN));
    assertThat(session.run("b = 1").step()).isEqualTo(1);
  }

  @Test
  void forkIntoASessionThatThereIs_isRefused() {
    Session session = client.newSession();
    session.run("a = 1");
    Session taken = client.newSession();
    taken.run("b = 1");

    assertThatThrownBy(() -> session.fork(1, ForkOptions.defaults().id(taken.id())))
        .isInstanceOfSatisfying(
            RequestRejectedException.class,
            e -> assertThat(e.result().error().code()).isEqualTo(ErrorCode.SESSION_EXISTS));
    assertThat(value(taken.run("b"))).isEqualTo("1");
  }
}
