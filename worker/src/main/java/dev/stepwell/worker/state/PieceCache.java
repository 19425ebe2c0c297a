package dev.stepwell.worker.state;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the pieces that were lately used in files of a folder, up to a bound in bytes, and gets the
 * others from where they are durable. Thread-safe; nothing is locked over I/O.
 *
 * <p>Pieces that came together, by one intake or one fetch, lie one behind the other in one file,
 * an <em>extent</em>, so that a large buffer is one range that a sandbox maps at once. The extents
 * that were not used for the longest time go first. A file is only ever unlinked, never cut or
 * written anew: a sandbox that holds a link to it keeps its bytes.
 */
public final class PieceCache implements Pieces, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PieceCache.class);

  private final ExtentFiles files;
  private final ExtentIndex index;
  private final PieceSource source;

  /** The pieces that are being fetched, each with what opens once they are there, or failed. */
  private final Map<PieceId, CountDownLatch> fetching = new ConcurrentHashMap<>();

  private PieceCache(ExtentFiles files, PieceSource source) {
    this.files = files;
    this.index = files.index();
    this.source = source;
  }

  /**
   * Opens an empty cache, and removes those of workers that are gone.
   *
   * @param scratch where its folder is made; sandboxes' own folders are on the same file system
   * @param capacityBytes how much to keep; 0 keeps what is in use and no more
   * @throws IOException if the folder can't be made
   */
  static PieceCache open(Path scratch, long capacityBytes, PieceSource source) throws IOException {
    return new PieceCache(
        new ExtentFiles(CacheFolder.create(scratch), new ExtentIndex(capacityBytes)), source);
  }

  @Override
  public List<Placement> place(List<Piece> pieces, Path into)
      throws SnapshotException, InterruptedException {
    try {
      return using(pieces, held -> place(held, pieces, into));
    } catch (IOException e) {
      throw new SnapshotException("pieces can't be put into " + into + ": " + reason(e), e, false);
    }
  }

  private static List<Placement> place(Holding held, List<Piece> pieces, Path into)
      throws IOException, SnapshotException {
    List<Placement> placements = new ArrayList<>(pieces.size());
    Set<Extent> linked = new HashSet<>();
    for (Piece piece : pieces) {
      Slot slot = held.slot(piece);
      if (linked.add(slot.extent())) {
        link(slot.extent(), into);
      }
      placements.add(new Placement(slot.extent().name(), slot.offset()));
    }
    return placements;
  }

  private static void link(Extent extent, Path into) throws IOException {
    try {
      Files.createLink(into.resolve(extent.name()), extent.file());
    } catch (FileAlreadyExistsException e) {
      // Linked for this sandbox before: names are never given twice.
      log.trace("{} is in {} already", extent.name(), into);
    }
  }

  @Override
  public byte[] read(Piece piece) throws SnapshotException, InterruptedException {
    try {
      return using(List.of(piece), held -> read(held.slot(piece)));
    } catch (IOException e) {
      if (piece.location() == null) {
        throw new SnapshotException("the piece cache can't be read: " + reason(e), e, false);
      }
      log.warn("a piece is read without being cached: {}", reason(e));
      return readUncached(piece);
    }
  }

  private static byte[] read(Slot slot) throws IOException {
    byte[] bytes = new byte[slot.bytes()];
    // Not a channel: one that is read by an interrupted thread is closed.
    try (RandomAccessFile file = new RandomAccessFile(slot.extent().file().toFile(), "r")) {
      file.seek(slot.offset());
      file.readFully(bytes);
    }
    return bytes;
  }

  private byte[] readUncached(Piece piece) throws SnapshotException, InterruptedException {
    List<byte[]> found = new ArrayList<>(1);
    try {
      source.read(
          List.of(piece),
          (each, bytes) -> {
            check(each, bytes);
            found.add(bytes);
          });
    } catch (IOException e) {
      throw new SnapshotException("a piece can't be read: " + reason(e), e, false);
    }
    return found.get(0);
  }

  /**
   * Fetches into the cache what is not there yet, all at once: for callers who will read the pieces
   * one by one. Blocks. What is cached may go again before it is read, as ever.
   *
   * @throws SnapshotException if a piece can't be had, or is not what was committed
   */
  public void fetch(List<Piece> pieces) throws SnapshotException, InterruptedException {
    try {
      using(pieces, Holding::slots);
    } catch (IOException e) {
      throw new SnapshotException("pieces can't be cached: " + reason(e), e, false);
    }
  }

  @Override
  public NewPieces take() {
    return new Intake(files);
  }

  /** Does something with pieces that are in the cache and stay there meanwhile. */
  @FunctionalInterface
  private interface Use<T> {
    T of(Holding held) throws IOException, SnapshotException;
  }

  private <T> T using(List<Piece> pieces, Use<T> use)
      throws SnapshotException, IOException, InterruptedException {
    try {
      try (Holding held = hold(pieces)) {
        return use.of(held);
      } catch (NoSuchFileException | FileNotFoundException e) {
        // Something else cleans up in the scratch folder.
        log.warn("a cached file has vanished: {}", reason(e));
        index.forgetVanished();
      }
      try (Holding held = hold(pieces)) {
        return use.of(held);
      }
    } finally {
      files.trim();
    }
  }

  /** Makes pieces be in the cache, and stay in it until what is returned is closed. */
  private Holding hold(List<Piece> pieces)
      throws SnapshotException, IOException, InterruptedException {
    Map<PieceId, Piece> missing = new LinkedHashMap<>();
    pieces.forEach(piece -> missing.put(piece.id(), piece));
    Holding held = new Holding(index, new LinkedHashMap<>());
    boolean complete = false;
    try {
      pinCached(missing, held);
      while (!missing.isEmpty()) {
        fetchOrAwait(missing, held);
        pinCached(missing, held);
      }
      complete = true;
      return held;
    } finally {
      if (!complete) {
        held.close();
      }
    }
  }

  /** Pins what is cached of what is not held yet; what is left is not there. */
  private void pinCached(Map<PieceId, Piece> missing, Holding held) {
    missing.keySet().removeAll(held.slots().keySet());
    index.pin(missing.keySet(), held.slots());
    missing.keySet().removeAll(held.slots().keySet());
  }

  /** Fetches what nobody fetches yet; where others fetch everything, waits for one piece. */
  private void fetchOrAwait(Map<PieceId, Piece> missing, Holding held)
      throws SnapshotException, IOException, InterruptedException {
    Map<PieceId, Piece> own = new LinkedHashMap<>();
    CountDownLatch others = null;
    for (Piece piece : missing.values()) {
      CountDownLatch other = fetching.putIfAbsent(piece.id(), new CountDownLatch(1));
      if (other == null) {
        own.put(piece.id(), piece);
      } else {
        others = other;
      }
    }
    if (own.isEmpty() && others != null) {
      others.await();
      return;
    }
    List<PieceId> claimed = List.copyOf(own.keySet());
    try {
      // Another one's fetch may have ended between the look at the index and the claim.
      pinCached(own, held);
      if (!own.isEmpty()) {
        fetch(own, held);
      }
    } finally {
      claimed.forEach(this::ended);
    }
  }

  /** Lets those go on who wait for a piece, whether or not it is there now; idempotent. */
  private void ended(PieceId id) {
    CountDownLatch waited = fetching.remove(id);
    if (waited != null) {
      waited.countDown();
    }
  }

  /** Fetches pieces into one new extent, in this order. */
  private void fetch(Map<PieceId, Piece> pieces, Holding held)
      throws SnapshotException, IOException, InterruptedException {
    Map<PieceId, Long> offsets = new HashMap<>();
    long end = 0;
    for (Piece piece : pieces.values()) {
      offsets.put(piece.id(), end);
      end = Extent.aligned(end + piece.bytes());
    }
    try (ExtentWriter writer = files.create()) {
      Extent extent = writer.extent();
      try {
        source.read(
            List.copyOf(pieces.values()),
            (piece, bytes) -> {
              check(piece, bytes);
              long offset = offsets.getOrDefault(piece.id(), 0L);
              files.write(writer, offset, bytes, 0, bytes.length);
              index.add(piece.id(), new Slot(extent, offset, bytes.length));
              index.pin(List.of(piece.id()), held.slots());
              ended(piece.id());
            });
      } finally {
        files.release(extent);
      }
    }
  }

  private static void check(Piece piece, byte[] bytes) throws SnapshotException {
    if (bytes.length != piece.bytes() || !PieceId.of(bytes).equals(piece.id())) {
      throw new SnapshotException(
          "what is stored for piece " + piece.id().hex() + " is something else", null, true);
    }
  }

  private static String reason(IOException e) {
    return String.valueOf(e.getMessage());
  }

  /** Removes everything. Whoever still reads or takes in fails. */
  @Override
  public void close() {
    files.close();
  }
}
