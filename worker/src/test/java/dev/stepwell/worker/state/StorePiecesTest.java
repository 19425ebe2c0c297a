package dev.stepwell.worker.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.stepwell.worker.state.store.StoreException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class StorePiecesTest {
  private static final Clock NOON = Clock.fixed(Instant.ofEpochMilli(777), ZoneOffset.UTC);

  @TempDir Path scratch;

  private final FakeStore store = new FakeStore();
  private final StorePieces pieces = new StorePieces(store, 4, 500);

  @AfterEach
  void close() {
    pieces.close();
  }

  @Test
  void written_isReadBackInOrder() throws Exception {
    Map<PieceId, byte[]> contents = contents(100);
    List<Piece> all = stored(contents);

    pieces.write(all, content(contents));
    List<Piece> read = new ArrayList<>();
    pieces.read(
        all,
        (piece, bytes) -> {
          assertThat(bytes).isEqualTo(contents.get(piece.id()));
          read.add(piece);
        });

    assertThat(read).isEqualTo(all);
    assertThat(store.objects.keySet()).allMatch(name -> name.matches("[0-9a-f]{64}"));
  }

  @Test
  void several_areUnderWayAtOnceButNoMoreThanAllowed() throws Exception {
    Map<PieceId, byte[]> contents = contents(40);
    CountDownLatch gate = store.hang();
    Thread opener =
        new Thread(
            () -> {
              await().until(() -> store.busiest() == 4);
              gate.countDown();
            });
    opener.start();

    pieces.write(stored(contents), content(contents));

    assertThat(store.busiest()).isEqualTo(4);
    opener.join();
  }

  @Test
  void missingObject_isGoneForGoodAndOthersFailForNow() {
    List<Piece> all = stored(contents(3));

    assertThatThrownBy(() -> pieces.read(all, (piece, bytes) -> {}))
        .isInstanceOfSatisfying(SnapshotException.class, e -> assertThat(e.permanent()).isTrue());
    store.fail(StoreException.Kind.UNAVAILABLE);
    assertThatThrownBy(() -> pieces.read(all, (piece, bytes) -> {}))
        .isInstanceOfSatisfying(SnapshotException.class, e -> assertThat(e.permanent()).isFalse());
  }

  @Test
  void hangingStore_isLeftInTime() {
    CountDownLatch gate = store.hang();
    try {
      assertThatThrownBy(() -> pieces.read(stored(contents(20)), (piece, bytes) -> {}))
          .isInstanceOfSatisfying(SnapshotException.class, e -> assertThat(e.permanent()).isFalse())
          .hasMessageContaining("in time");
    } finally {
      gate.countDown();
    }
  }

  @Test
  void interruptedCaller_isLetGo() throws Exception {
    CountDownLatch gate = store.hang();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                pieces.read(stored(contents(1)), (piece, bytes) -> {});
              } catch (Exception e) {
                thrown.set(e);
              }
            });
    caller.start();
    await().until(() -> store.busiest() == 1);
    caller.interrupt();
    caller.join();

    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    gate.countDown();
  }

  @Test
  void closed_answersAtOnce() {
    pieces.close();

    assertThatThrownBy(() -> pieces.read(stored(contents(1)), (piece, bytes) -> {}))
        .isInstanceOfSatisfying(SnapshotException.class, e -> assertThat(e.permanent()).isFalse());
  }

  @Test
  void claimCheck_putsWhatIsLargeIntoTheStore() throws Exception {
    try (PieceCache cache = PieceCache.open(scratch, 1 << 20, new FakeSource());
        NewPieces taken = cache.take()) {
      ClaimCheck claimCheck = new ClaimCheck(cache, pieces, 100, NOON);
      Piece small = taken.add(new byte[100], 0, 100);
      Piece another = taken.add(new byte[50], 0, 50);

      assertThat(claimCheck.settle(List.of(small))).containsExactly(small);
      assertThat(claimCheck.settle(List.of(small, small))).containsExactly(small, small);
      assertThat(store.objects).isEmpty();
      assertThat(claimCheck.settle(List.of(another, small, another)))
          .containsExactly(
              another.at(new Location.InStore(777)),
              small.at(new Location.InStore(777)),
              another.at(new Location.InStore(777)));
      assertThat(store.objects).containsOnlyKeys(small.id().hex(), another.id().hex());
    }
  }

  @Test
  void claimCheckWithoutAStore_leavesEverythingToTheTransaction() throws Exception {
    try (PieceCache cache = PieceCache.open(scratch, 1 << 20, new FakeSource());
        NewPieces taken = cache.take()) {
      Piece large = taken.add(new byte[9999], 0, 9999);
      ClaimCheck claimCheck = new ClaimCheck(cache, null, 100, NOON);

      assertThat(claimCheck.settle(List.of(large.at(new Location.InStore(1)))))
          .containsExactly(large);
    }
  }

  @Test
  void claimCheck_passesOnWhatTheStoreSays() throws Exception {
    store.fail(StoreException.Kind.DENIED);
    try (PieceCache cache = PieceCache.open(scratch, 1 << 20, new FakeSource());
        NewPieces taken = cache.take()) {
      Piece large = taken.add(new byte[9999], 0, 9999);

      assertThatThrownBy(() -> new ClaimCheck(cache, pieces, 100, NOON).settle(List.of(large)))
          .isInstanceOfSatisfying(SnapshotException.class, e -> assertThat(e.permanent()).isTrue());
    }
  }

  private static StorePieces.Content content(Map<PieceId, byte[]> contents) {
    return piece -> contents.getOrDefault(piece.id(), new byte[0]);
  }

  private static Map<PieceId, byte[]> contents(int count) {
    Map<PieceId, byte[]> contents = new HashMap<>();
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[i + 1];
      contents.put(PieceId.of(bytes), bytes);
    }
    return contents;
  }

  private static List<Piece> stored(Map<PieceId, byte[]> contents) {
    List<Piece> pieces = new ArrayList<>();
    contents.forEach(
        (id, bytes) -> pieces.add(new Piece(id, bytes.length, new Location.InStore(0))));
    return pieces;
  }
}
