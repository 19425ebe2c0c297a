package dev.stepwell.worker.snapshot;

import dev.stepwell.worker.state.BlobRecords;
import dev.stepwell.worker.state.Location;
import dev.stepwell.worker.state.Piece;
import dev.stepwell.worker.state.PieceId;
import dev.stepwell.worker.state.Place;
import dev.stepwell.worker.state.SnapshotException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;

/** A blob topic of one partition in memory; counts what is written and read. */
@NullUnmarked // Looks into what it has made itself.
final class MemoryTopic implements BlobRecords {
  private static final int PARTITION = 3;
  private static final long NOW = 1_000;

  private final List<byte[]> records = new ArrayList<>();
  int reads;
  long bytesWritten;

  private long append(byte[] record) {
    records.add(record);
    bytesWritten += record.length;
    return records.size() - 1L;
  }

  /** Writes a snapshot as a transaction does. */
  Snapshot commit(PendingSnapshot pending) throws SnapshotException, InterruptedException {
    Map<PieceId, Location> loose = new HashMap<>();
    for (Piece piece : pending.loose()) {
      loose.put(
          piece.id(), new Location.InTopic(PARTITION, append(pending.read(piece)), 1, 0, NOW));
    }
    PendingSnapshot.Written written = pending.write(loose);
    long first = records.size();
    for (int from = 0; from < written.bytes().length; from += Place.RECORD_BYTES) {
      append(
          Arrays.copyOfRange(
              written.bytes(), from, Math.min(written.bytes().length, from + Place.RECORD_BYTES)));
    }
    return written.at(new Place(PARTITION, first, NOW));
  }

  void damage(long offset, int at) {
    records.get((int) offset)[at] ^= 1;
  }

  @Override
  public byte[] read(int partition, long offset, int count) throws SnapshotException {
    reads++;
    if (partition != PARTITION || offset + count > records.size()) {
      throw new SnapshotException("no such record", null, true);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      bytes.writeBytes(records.get((int) offset + i));
    }
    return bytes.toByteArray();
  }

  /** A piece's bytes, from where the snapshot says that they are. */
  byte[] piece(Piece piece) throws SnapshotException {
    Location.InTopic at = (Location.InTopic) piece.location();
    byte[] bytes = read(at.partition(), at.offset(), at.records());
    return Arrays.copyOfRange(bytes, at.start(), at.start() + piece.bytes());
  }
}
