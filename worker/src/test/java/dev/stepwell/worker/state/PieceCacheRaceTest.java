package dev.stepwell.worker.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PieceCacheRaceTest {
  private static final int MIB = 1 << 20;

  @TempDir Path scratch;

  private final FakeSource source = new FakeSource();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void samePieceWantedByMany_isFetchedOnce() throws Exception {
    try (PieceCache cache = PieceCache.open(scratch, MIB, source)) {
      Piece piece = source.put(new byte[] {1, 2, 3});
      CountDownLatch gate = source.hold();
      List<Future<byte[]>> readers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        readers.add(threads.submit(() -> cache.read(piece)));
      }
      gate.countDown();
      for (Future<byte[]> reader : readers) {
        assertThat(reader.get()).containsExactly(1, 2, 3);
      }
      assertThat(source.reads()).isEqualTo(1);
    }
  }

  @Test
  void waiterForOnePiece_doesNotWaitForAllThatComeWithIt() throws Exception {
    try (PieceCache cache = PieceCache.open(scratch, MIB, source)) {
      Piece late = source.put(new byte[] {1});
      Piece early = source.put(new byte[] {2});
      CountDownLatch gate = source.holdBefore(late);
      // The source hands over the last one first.
      Future<?> both = threads.submit(() -> cache.place(List.of(late, early), scratch));

      assertThat(threads.submit(() -> cache.read(early)).get()).containsExactly(2);
      assertThat(both.isDone()).isFalse();
      gate.countDown();
      both.get();
      assertThat(source.reads()).isEqualTo(2);
    }
  }

  @Test
  void failureOfOne_isNotTheFailureOfAnother() throws Exception {
    try (PieceCache cache = PieceCache.open(scratch, MIB, source)) {
      Piece wanted = source.put(new byte[] {1});
      Piece gone = source.put(new byte[] {2});
      source.remove(gone);
      CountDownLatch gate = source.hold();
      // It fails at the second piece before it comes to the first.
      Future<?> first = threads.submit(() -> cache.place(List.of(wanted, gone), scratch));
      Future<byte[]> second = threads.submit(() -> cache.read(wanted));
      gate.countDown();

      assertThat(second.get()).containsExactly(1);
      assertThat(first)
          .failsWithin(Duration.ofSeconds(10))
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(SnapshotException.class);
    }
  }

  @Test
  void interruptedWaiter_leavesAtOnce() throws Exception {
    try (PieceCache cache = PieceCache.open(scratch, MIB, source)) {
      Piece piece = source.put(new byte[] {1});
      CountDownLatch gate = source.hold();
      Future<byte[]> fetcher = threads.submit(() -> cache.read(piece));
      CountDownLatch interrupted = new CountDownLatch(1);
      Thread waiter =
          new Thread(
              () -> {
                try {
                  cache.read(piece);
                } catch (InterruptedException e) {
                  interrupted.countDown();
                } catch (SnapshotException e) {
                  throw new AssertionError(e);
                }
              });
      waiter.start();
      await().until(() -> waiter.getState() == Thread.State.WAITING);
      waiter.interrupt();

      assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
      gate.countDown();
      assertThat(fetcher.get()).containsExactly(1);
    }
  }

  @Test
  void manyReadersWritersAndEvictions_neverSeeOtherBytes() throws Exception {
    List<Piece> stored = new ArrayList<>();
    Random random = new Random(4);
    for (int i = 0; i < 60; i++) {
      byte[] bytes = new byte[1 + random.nextInt(Piece.MAX_BYTES)];
      random.nextBytes(bytes);
      stored.add(source.put(bytes));
    }
    try (PieceCache cache = PieceCache.open(scratch, 4L * MIB, source)) {
      List<Future<?>> work = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        int seed = i;
        work.add(threads.submit(() -> use(cache, stored, seed)));
      }
      for (Future<?> each : work) {
        each.get();
      }
      assertThat(sizeOfAll(scratch)).isLessThanOrEqualTo(4L * MIB);
    }
  }

  private Object use(PieceCache cache, List<Piece> stored, int seed) throws Exception {
    Random random = new Random(seed);
    for (int round = 0; round < 40; round++) {
      Path sandbox = Files.createTempDirectory(scratch, "sandbox-");
      List<Piece> wanted = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        wanted.add(stored.get(random.nextInt(stored.size())));
      }
      try (NewPieces taken = cache.take()) {
        byte[] bytes = new byte[random.nextInt(Piece.MAX_BYTES) + 1];
        random.nextBytes(bytes);
        wanted.add(taken.add(bytes, 0, bytes.length));
        List<Placement> placed = cache.place(wanted, sandbox);
        for (int i = 0; i < wanted.size(); i++) {
          assertHolds(sandbox, placed.get(i), wanted.get(i));
        }
        Piece any = wanted.get(random.nextInt(wanted.size()));
        assertThat(PieceId.of(cache.read(any))).isEqualTo(any.id());
      }
      for (File file : Objects.requireNonNull(sandbox.toFile().listFiles())) {
        Files.delete(file.toPath());
      }
      Files.delete(sandbox);
    }
    return "done";
  }

  private static void assertHolds(Path sandbox, Placement placed, Piece piece) throws Exception {
    try (RandomAccessFile file =
        new RandomAccessFile(sandbox.resolve(placed.extent()).toFile(), "r")) {
      byte[] bytes = new byte[piece.bytes()];
      file.seek(placed.offset());
      file.readFully(bytes);
      assertThat(PieceId.of(bytes)).isEqualTo(piece.id());
    }
  }

  private static long sizeOfAll(Path folder) throws Exception {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
