package dev.stepwell.worker.runner;

import java.util.List;

/**
 * The variables of a session as a runner leaves and finds them; not to be changed once made.
 *
 * @param body the runner's own description of them, opaque; empty for none
 * @param sizes the size of each piece that the body refers to, bytes
 * @param eager the places of pieces that every step will want
 */
@SuppressWarnings("ArrayRecordComponent") // Passed on, never compared.
public record Variables(byte[] body, List<Integer> sizes, List<Integer> eager) {
  /** A session without any. */
  public static final Variables NONE = new Variables(new byte[0], List.of(), List.of());

  public Variables {
    sizes = List.copyOf(sizes);
    eager = List.copyOf(eager);
  }
}
