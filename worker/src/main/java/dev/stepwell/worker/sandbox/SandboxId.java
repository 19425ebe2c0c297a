package dev.stepwell.worker.sandbox;

import java.math.BigInteger;
import java.security.SecureRandom;

/** Makes the names of sandboxes. Thread-safe. */
public final class SandboxId {
  /** Enough that no two sandboxes of any workers ever share one. */
  private static final int RANDOM_BITS = 128;

  private static final SecureRandom RANDOM = new SecureRandom();

  private SandboxId() {}

  /** A name nobody has ever used: {@code sw-} and up to 25 characters of {@code a-z0-9}. */
  public static String next() {
    return "sw-" + new BigInteger(RANDOM_BITS, RANDOM).toString(Character.MAX_RADIX);
  }
}
