package dev.stepwell.worker.execution;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** What a head remembers of a request id: short, so that heads stay small. */
final class Fingerprint {
  /** 96 bits: no two of the few ids that a head holds will ever meet by chance. */
  private static final int BYTES = 12;

  private Fingerprint() {}

  static String of(String requestId) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(requestId.getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
