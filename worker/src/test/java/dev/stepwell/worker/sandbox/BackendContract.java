package dev.stepwell.worker.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every backend does, isolating or not. */
@Timeout(120)
public abstract class BackendContract extends BackendHarness {
  private static final int FLOOD_BYTES = 50 << 20;

  @Test
  void channel_carriesBytesBothWays() throws Exception {
    Sandbox sandbox =
        start(
            """
            import sys
            while True:
                data = sys.stdin.buffer.readline()
                if not data:
                    break
                sys.stdout.buffer.write(b'<' + data[:-1] + b'>\\n')
                sys.stdout.buffer.flush()
            print('end of input', flush=True)
            """);
    BufferedReader lines = lines(sandbox);
    for (String word : List.of("one", "two \u00e9\u4e2d\uD83D\uDE00", "")) {
      sandbox.input().write((word + "\n").getBytes(UTF_8));
      sandbox.input().flush();
      assertThat(lines.readLine()).isEqualTo("<" + word + ">");
    }
    sandbox.input().close();
    assertThat(lines.readLine()).isEqualTo("end of input");
    assertThat(lines.readLine()).isNull();
  }

  @Test
  void channel_carriesEveryByteValue() throws Exception {
    Sandbox sandbox =
        start("import sys; sys.stdout.buffer.write(sys.stdin.buffer.read(256)[::-1])");
    byte[] all = new byte[256];
    byte[] reversed = new byte[256];
    for (int i = 0; i < 256; i++) {
      all[i] = (byte) i;
      reversed[255 - i] = (byte) i;
    }
    sandbox.input().write(all);
    sandbox.input().flush();
    assertThat(sandbox.output().readAllBytes()).isEqualTo(reversed);
  }

  @Test
  void floodOut_arrivesWhole() throws Exception {
    Sandbox sandbox =
        start(
            """
            import sys
            for i in range(50):
                sys.stdout.buffer.write(bytes([i]) * (1 << 20))
            """);
    byte[] output = sandbox.output().readAllBytes();
    assertThat(output).hasSize(FLOOD_BYTES);
    for (int i = 0; i < 50; i++) {
      assertThat(output[i << 20]).isEqualTo((byte) i);
      assertThat(output[((i + 1) << 20) - 1]).isEqualTo((byte) i);
    }
  }

  @Test
  void floodIn_arrivesWhole() throws Exception {
    Sandbox sandbox =
        start(
            """
            import hashlib, sys
            digest, size = hashlib.sha256(), 0
            while data := sys.stdin.buffer.read(1 << 16):
                digest.update(data)
                size += len(data)
            print(size, digest.hexdigest())
            """);
    byte[] data = new byte[FLOOD_BYTES];
    for (int i = 0; i < data.length; i++) {
      data[i] = (byte) ((i * 31) >> 3);
    }
    try (OutputStream input = sandbox.input()) {
      input.write(data);
    }
    String digest =
        java.util.HexFormat.of()
            .formatHex(java.security.MessageDigest.getInstance("SHA-256").digest(data));
    assertThat(allOutput(sandbox)).isEqualTo(FLOOD_BYTES + " " + digest + "\n");
  }

  /** Whoever writes what nobody reads waits: it must pile up nowhere. */
  @Test
  void floodNobodyReads_isHeldBack() throws Exception {
    Sandbox sandbox =
        start(
            """
            import os, select
            os.set_blocking(1, False)
            written = 0
            while select.select([], [1], [], 1)[1]:
                try:
                    written += os.write(1, b'x' * 65536)
                except BlockingIOError:
                    pass
            with open('/proc/self/comm', 'w') as f:
                f.write('held back')
            os.set_blocking(1, True)
            os.write(1, b' %d' % written)
            """);
    await().until(() -> processNames().contains("held back\n"));
    String output = allOutput(sandbox);
    String[] parts = output.split(" ", -1);
    assertThat(parts).hasSize(2);
    assertThat(parts[0]).hasSize(Integer.parseInt(parts[1])).hasSizeLessThan(4 << 20);
  }

  @Test
  void environment_isTheProfilesAlone() throws Exception {
    List<String> names =
        Arrays.asList(run("import os; print(*sorted(os.environ), sep='\\n')").split("\n", -1));
    assertThat(names).contains("GREETING", "EMPTY", "HOME", "LANG", "PATH");
    assertThat(
            Set.of("GREETING", "EMPTY", "HOME", "LANG", "PATH", "PWD", "HOSTNAME", "LC_CTYPE", ""))
        .containsAll(names);
    assertThat(run("import os; print(os.environ['GREETING'] + os.environ['EMPTY'] + '.')"))
        .isEqualTo("hello world.\n");
  }

  @Test
  void workingFolder_isWritableAndEmpty() throws Exception {
    assertThat(run("import os; open('f', 'w').write('x'); print(os.listdir())"))
        .isEqualTo("['f']\n");
    assertThat(run("import os; print(os.listdir())")).isEqualTo("[]\n");
  }

  @Test
  void arguments_arriveAsTheyAre() throws Exception {
    String odd = "a b\t'\"$HOME `id` \\ * \u00e9\n-- --";
    assertThat(run("import sys; print(ascii(sys.argv[1:-1]))", odd, "", "-x"))
        .isEqualTo("['a b\\t\\'\"$HOME `id` \\\\ * \\xe9\\n-- --', '', '-x']\n");
  }

  @Test
  void diagnostics_holdTheEndOfStandardError() throws Exception {
    Sandbox sandbox = start("import sys; sys.stderr.write('a' * 9000 + 'the end'); print('out')");
    assertThat(new String(sandbox.output().readAllBytes(), UTF_8)).isEqualTo("out\n");
    await().untilAsserted(() -> assertThat(sandbox.diagnostics()).endsWith("the end"));
    assertThat(sandbox.diagnostics()).hasSizeLessThanOrEqualTo(4096);
    sandbox.destroy();
    assertThat(sandbox.diagnostics()).endsWith("the end");
  }

  @Test
  void output_endsWhenTheFirstProcessDoes() throws Exception {
    String code =
        """
        import os, signal, sys, time
        if os.fork() == 0:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(1000)
        print('first', flush=True)
        sys.stdin.read()
        """;
    Sandbox sandbox = start(code);
    assertThat(lines(sandbox).readLine()).isEqualTo("first");
    sandbox.destroy();
    assertThat(processes()).isEmpty();
  }

  @Test
  void destroy_leavesNothing() throws Exception {
    Sandbox sandbox =
        start(
            """
            import os, signal, time
            for _ in range(8):
                if os.fork() == 0:
                    if os.fork() == 0:
                        os.setsid()
                        for s in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                            signal.signal(s, signal.SIG_IGN)
                        time.sleep(1000)
                    os._exit(0)
            print('ready', flush=True)
            time.sleep(1000)
            """);
    assertThat(lines(sandbox).readLine()).isEqualTo("ready");
    await().until(() -> processes().size() > 8);
    sandbox.destroy();
    assertThat(processes()).isEmpty();
    assertThat(leftovers(sandbox.id())).isEmpty();
    sandbox.destroy();
    assertThat(sandbox.usage()).isNotNull();
  }

  @Test
  void destroy_rightAfterCreate_leavesNothing() throws Exception {
    for (int i = 0; i < 10; i++) {
      Sandbox sandbox = start("import time; time.sleep(1000)");
      sandbox.destroy();
      assertThat(leftovers(sandbox.id())).isEmpty();
    }
    assertThat(processes()).isEmpty();
  }

  @Test
  void destroy_fromManyThreads_returnsWhenItIsGone() throws Exception {
    Sandbox sandbox = start("import time; print(1, flush=True); time.sleep(1000)");
    assertThat(lines(sandbox).readLine()).isEqualTo("1");
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<List<String>>> seen = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        seen.add(
            threads.submit(
                () -> {
                  sandbox.destroy();
                  return leftovers(sandbox.id());
                }));
      }
      for (Future<List<String>> one : seen) {
        assertThat(one.get()).isEmpty();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void destroy_endsReadersAndWriters() throws Exception {
    Sandbox sandbox = start("import time; print(1, flush=True); time.sleep(1000)");
    InputStream output = sandbox.output();
    assertThat(output.read()).isEqualTo('1');
    AtomicReference<String> reader = new AtomicReference<>();
    AtomicReference<String> writer = new AtomicReference<>();
    Thread reading = new Thread(() -> reader.set(outcome(() -> readToEnd(output))));
    Thread writing = new Thread(() -> writer.set(outcome(() -> writeForEver(sandbox.input()))));
    reading.start();
    writing.start();
    await().until(() -> reading.getState() != Thread.State.NEW && writing.isAlive());
    sandbox.destroy();
    await().atMost(Duration.ofSeconds(20)).until(() -> !reading.isAlive() && !writing.isAlive());
    assertThat(reader.get()).isIn("ended", "IOException");
    assertThat(writer.get()).isEqualTo("IOException");
  }

  private static List<String> processNames() throws IOException {
    List<String> names = new ArrayList<>();
    for (String folder : processes()) {
      names.add(Files.readString(Path.of(folder, "comm")));
    }
    return names;
  }

  private interface Action {
    void run() throws IOException;
  }

  private static String outcome(Action action) {
    try {
      action.run();
      return "ended";
    } catch (IOException e) {
      return "IOException";
    }
  }

  private static void readToEnd(InputStream output) throws IOException {
    output.transferTo(OutputStream.nullOutputStream());
  }

  private static void writeForEver(OutputStream input) throws IOException {
    byte[] data = new byte[1 << 16];
    while (true) {
      input.write(data);
      input.flush();
    }
  }

  @Test
  void ids_areUniqueAndPlain() throws Exception {
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      ids.add(start("pass").id());
    }
    assertThat(ids).hasSize(3).allMatch(id -> id.matches("[a-z0-9-]{1,63}"));
  }

  @Test
  void create_onAThreadThatEnds_outlivesIt() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Sandbox sandbox =
        thread
            .submit(() -> start("print('up', flush=True)\nwhile True: print(input(), flush=True)"))
            .get();
    BufferedReader lines = lines(sandbox);
    assertThat(lines.readLine()).isEqualTo("up");
    thread.shutdown();
    assertThat(thread.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    // The system's thread ends a moment after Java's.
    for (int i = 0; i < 500; i++) {
      sandbox.input().write("still here\n".getBytes(UTF_8));
      sandbox.input().flush();
      assertThat(lines.readLine()).isEqualTo("still here");
    }
  }

  @Test
  void create_interrupted_leavesNothing() throws Exception {
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> start("import time; time.sleep(1000)"));
    assertThat(Thread.interrupted()).isFalse();
    for (int i = 0; i < 5; i++) {
      interruptDuringCreate();
    }
    destroyStarted();
    assertThat(processes()).isEmpty();
  }

  private void interruptDuringCreate() throws Exception {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread creating =
        new Thread(
            () -> {
              try {
                start("import time; time.sleep(1000)");
              } catch (Throwable e) {
                thrown.set(e);
              }
            });
    creating.start();
    await().until(() -> creating.getState() != Thread.State.NEW);
    creating.interrupt();
    creating.join();
    assertThat(thrown.get()).isIn(null, thrown.get() instanceof InterruptedException e ? e : null);
  }

  @Test
  void create_afterClose_isRefused() throws Exception {
    SandboxBackend other = open();
    other.close();
    other.close();
    assertThatThrownBy(() -> other.create(profile(LIMITS), List.of(python(), "-c", "pass")))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void reap_sparesTheLiving() throws Exception {
    Sandbox sandbox = start("print(input(), flush=True); input()");
    backend.reap();
    try (SandboxBackend other = open()) {
      other.reap();
    }
    sandbox.input().write("alive\n".getBytes(UTF_8));
    sandbox.input().flush();
    assertThat(lines(sandbox).readLine()).isEqualTo("alive");
  }

  @Test
  void backend_saysWhatItIs() {
    assertThat(backend.name()).matches("[a-z]+");
    assertThat(backend.description()).isNotBlank();
  }
}
