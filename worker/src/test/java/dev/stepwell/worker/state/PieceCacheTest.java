package dev.stepwell.worker.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PieceCacheTest {
  private static final int MIB = 1 << 20;

  @TempDir Path scratch;

  private final FakeSource source = new FakeSource();
  private final Random random = new Random(20);
  private Path sandbox;
  private PieceCache cache;

  @BeforeEach
  void open() throws IOException {
    sandbox = Files.createDirectory(scratch.resolve("sandbox"));
    cache = PieceCache.open(scratch, 64L * MIB, source);
  }

  @AfterEach
  void close() {
    cache.close();
  }

  @Test
  void takenPieces_areReadBackWhileOpenAndAfter() throws Exception {
    byte[] bytes = bytes(5000);
    Piece piece;
    try (NewPieces taken = cache.take()) {
      piece = taken.add(bytes, 0, bytes.length);
      assertThat(piece).isEqualTo(new Piece(PieceId.of(bytes), 5000, null));
      assertThat(cache.read(piece)).isEqualTo(bytes);
    }
    assertThat(cache.read(piece)).isEqualTo(bytes);
    assertThat(source.reads()).isZero();
  }

  @Test
  void rangeOfAnArray_isThePiece() throws Exception {
    byte[] bytes = bytes(100);
    try (NewPieces taken = cache.take()) {
      Piece piece = taken.add(bytes, 10, 20);
      assertThat(cache.read(piece)).isEqualTo(Arrays.copyOfRange(bytes, 10, 30));
    }
  }

  @Test
  void largeBuffer_isOneRangeOfOneFile() throws Exception {
    List<Piece> pieces = new ArrayList<>();
    byte[] buffer = bytes(20 * Piece.MAX_BYTES);
    try (NewPieces taken = cache.take()) {
      taken.add(bytes(77), 0, 77);
      for (int at = 0; at < buffer.length; at += Piece.MAX_BYTES) {
        pieces.add(taken.add(buffer, at, Piece.MAX_BYTES));
      }
    }

    List<Placement> placed = cache.place(pieces, sandbox);

    assertOneRange(placed);
    Path file = sandbox.resolve(placed.get(0).extent());
    byte[] whole = Files.readAllBytes(file);
    int from = (int) placed.get(0).offset();
    assertThat(Arrays.equals(whole, from, from + buffer.length, buffer, 0, buffer.length)).isTrue();
  }

  @Test
  void fetchedBuffer_isOneRangeInTheOrderAskedWhateverOrderItCameIn() throws Exception {
    List<Piece> pieces =
        Stream.generate(() -> source.put(bytes(Piece.MAX_BYTES))).limit(8).toList();

    assertOneRange(cache.place(pieces, sandbox));
  }

  private static void assertOneRange(List<Placement> placed) {
    for (int i = 0; i < placed.size(); i++) {
      assertThat(placed.get(i).extent()).isEqualTo(placed.get(0).extent());
      assertThat(placed.get(i).offset())
          .isEqualTo(placed.get(0).offset() + (long) i * Piece.MAX_BYTES);
    }
  }

  @Test
  void everyPiece_beginsAtAPage() throws Exception {
    List<Piece> pieces = new ArrayList<>();
    try (NewPieces taken = cache.take()) {
      for (int size : new int[] {1, 4095, 4096, 4097, Piece.MAX_BYTES, 3}) {
        pieces.add(taken.add(bytes(size), 0, size));
      }
    }
    assertThat(cache.place(pieces, sandbox)).allMatch(each -> each.offset() % 4096 == 0);
    for (Piece piece : pieces) {
      assertThat(PieceId.of(cache.read(piece))).isEqualTo(piece.id());
    }
  }

  @Test
  void files_canBeReadByOthersButNotListedOrWritten() throws Exception {
    Placement placed = cache.place(List.of(source.put(bytes(10))), sandbox).get(0);

    Path file = sandbox.resolve(placed.extent());
    assertThat(placed.extent()).matches("[a-z0-9-]{1,64}");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("r--r--r--");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cacheFolder())))
        .isEqualTo("rwx--x--x");
  }

  @Test
  void placingTwice_linksOnce() throws Exception {
    Piece piece = source.put(bytes(10));

    assertThat(cache.place(List.of(piece), sandbox))
        .isEqualTo(cache.place(List.of(piece, piece), sandbox).subList(1, 2));
    assertThat(sandbox.toFile().list()).hasSize(1);
    assertThat(source.reads()).isEqualTo(1);
  }

  @Test
  void leastRecentlyUsed_goFirst() throws Exception {
    Piece first = source.put(bytes(Piece.MAX_BYTES));
    Piece second = source.put(bytes(Piece.MAX_BYTES));
    cache.read(first);
    cache.read(second);
    cache.read(first);

    // What is larger than the rest of the cache drives out the oldest, not the other.
    int rest = 64 * MIB - 2 * Piece.MAX_BYTES;
    fill(rest);
    int before = source.reads();
    cache.read(first);
    assertThat(source.reads()).isEqualTo(before);
    cache.read(second);
    assertThat(source.reads()).isEqualTo(before + 1);
  }

  private void fill(int bytes) throws IOException {
    try (NewPieces taken = cache.take()) {
      for (int at = 0; at < bytes; at += Piece.MAX_BYTES) {
        taken.add(bytes(Piece.MAX_BYTES), 0, Piece.MAX_BYTES);
      }
    }
  }

  @Test
  void cache_staysWithinItsCapacity() throws Exception {
    for (int i = 0; i < 12; i++) {
      fill(10 * MIB);
    }
    assertThat(onDisk()).isBetween(40L * MIB, 64L * MIB);
  }

  @Test
  void manySmallFiles_areBoundedInNumber() throws Exception {
    for (int i = 0; i < 1500; i++) {
      cache.read(source.put(bytes(1)));
    }
    assertThat(cacheFolder().toFile().list()).hasSizeLessThan(1024);
  }

  @Test
  void openIntake_isPinnedHoweverLargeItIs() throws Exception {
    try (NewPieces taken = cache.take()) {
      List<Piece> pieces = new ArrayList<>();
      for (int i = 0; i < 140; i++) {
        pieces.add(taken.add(bytes(Piece.MAX_BYTES), 0, Piece.MAX_BYTES));
      }
      cache.read(source.put(bytes(10)));
      for (Piece piece : pieces) {
        assertThat(PieceId.of(cache.read(piece))).isEqualTo(piece.id());
      }
    }
    assertThat(onDisk()).isLessThan(64L * MIB);
  }

  @Test
  void linkedFile_survivesEviction() throws Exception {
    byte[] bytes = bytes(Piece.MAX_BYTES);
    Piece piece = source.put(bytes);
    Placement placed = cache.place(List.of(piece), sandbox).get(0);

    fill(64 * MIB);

    assertThat(cacheFolder().resolve(placed.extent())).doesNotExist();
    assertThat(Files.readAllBytes(sandbox.resolve(placed.extent()))).isEqualTo(bytes);
  }

  @Test
  void withoutCapacity_everythingStillWorks() throws Exception {
    try (PieceCache none = PieceCache.open(scratch, 0, source)) {
      List<Piece> pieces = List.of(source.put(bytes(10)), source.put(bytes(20)));
      assertThat(none.place(pieces, sandbox)).hasSize(2);
      assertThat(none.read(pieces.get(1))).hasSize(20);
      try (NewPieces taken = none.take()) {
        Piece piece = taken.add(bytes(30), 0, 30);
        assertThat(none.read(piece)).hasSize(30);
      }
      assertThat(sandbox.toFile().list()).hasSize(1);
    }
  }

  @Test
  void wrongBytes_areRefusedForGood() {
    Piece piece = source.put(bytes(10));
    source.spoil(piece, bytes(10));
    Piece longer = source.put(bytes(10));
    source.spoil(longer, bytes(11));

    for (Piece each : List.of(piece, longer)) {
      assertThatThrownBy(() -> cache.read(each))
          .isInstanceOfSatisfying(SnapshotException.class, e -> assertThat(e.permanent()).isTrue());
      assertThatThrownBy(() -> cache.place(List.of(each), sandbox))
          .isInstanceOf(SnapshotException.class);
    }
    assertThat(cacheFolder().toFile().list()).isEmpty();
  }

  @Test
  void wrongSizeOfACachedPiece_isRefused() throws Exception {
    Piece piece = source.put(bytes(10));
    cache.read(piece);

    assertThatThrownBy(() -> cache.read(new Piece(piece.id(), 11, piece.location())))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("10 bytes, not 11");
  }

  @Test
  void onePieceGone_keepsTheOthers() throws Exception {
    Piece gone = source.put(bytes(10));
    Piece there = source.put(bytes(10));
    source.remove(gone);

    assertThatThrownBy(() -> cache.place(List.of(gone, there), sandbox))
        .isInstanceOf(SnapshotException.class);
    int before = source.reads();
    assertThat(cache.read(there)).hasSize(10);
    assertThat(source.reads()).isEqualTo(before);
  }

  @Test
  void samePieceTwiceInAStep_isWrittenOnce() throws Exception {
    byte[] bytes = new byte[Piece.MAX_BYTES];
    try (NewPieces taken = cache.take()) {
      for (int i = 0; i < 50; i++) {
        taken.add(bytes, 0, bytes.length);
      }
      assertThat(onDisk()).isEqualTo(bytes.length);
    }
  }

  @Test
  void vanishedFile_isFetchedAgain() throws Exception {
    Piece piece = source.put(bytes(10));
    Placement placed = cache.place(List.of(piece), sandbox).get(0);
    Files.delete(cacheFolder().resolve(placed.extent()));

    assertThat(cache.read(piece)).hasSize(10);
    assertThat(source.reads()).isEqualTo(2);
  }

  @Test
  void closedIntake_takesNothing() {
    NewPieces taken = cache.take();
    taken.close();
    taken.close();

    assertThatThrownBy(() -> taken.add(new byte[1], 0, 1))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void hostileSizes_areRefused() {
    try (NewPieces taken = cache.take()) {
      assertThatThrownBy(() -> taken.add(new byte[1], 0, 0))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> taken.add(new byte[MIB], 0, Piece.MAX_BYTES + 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> taken.add(new byte[4], 2, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThat(cacheFolder().toFile().list()).isEmpty();
  }

  @Test
  void interruptedReader_spoilsTheCacheForNobody() throws Exception {
    Piece piece = source.put(bytes(10));
    cache.read(piece);

    Thread.currentThread().interrupt();
    assertThat(cache.read(piece)).hasSize(10);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(cache.read(piece)).hasSize(10);
  }

  @Test
  void close_leavesNothing() {
    try (NewPieces taken = cache.take()) {
      cache.close();
      assertThatThrownBy(() -> taken.add(bytes(1), 0, 1)).isInstanceOf(IOException.class);
    }
    assertThat(scratch.toFile().list()).containsExactly("sandbox");
  }

  private byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  private Path cacheFolder() {
    try (Stream<Path> entries = Files.list(scratch)) {
      return entries
          .filter(each -> each.getFileName().toString().matches("pieces-[0-9a-f]+"))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long onDisk() {
    return Stream.of(Objects.requireNonNull(cacheFolder().toFile().listFiles()))
        .mapToLong(File::length)
        .sum();
  }
}
