package dev.stepwell.worker.state;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;

/**
 * Objects and small pieces that one transaction writes together, one after the other. Not
 * thread-safe.
 */
public final class Bundle {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Map<PieceId, Stored> known = new HashMap<>();

  /** Adds an object, once; its place is relative to the bundle. */
  public Stored add(PieceId id, byte[] object) {
    Stored there = known.get(id);
    if (there == null) {
      there = append(id, object);
      known.put(id, there);
    }
    return there;
  }

  /** Adds an object even if one of that name is there. */
  public Stored append(PieceId id, byte[] object) {
    Stored there = new Stored(id, object.length, Place.within(bytes.size()));
    bytes.writeBytes(object);
    return there;
  }

  /** How large it is by now; the next object begins there. */
  public int size() {
    return bytes.size();
  }

  /** All of it. */
  public byte[] toByteArray() {
    return bytes.toByteArray();
  }
}
