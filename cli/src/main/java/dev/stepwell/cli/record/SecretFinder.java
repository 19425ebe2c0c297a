package dev.stepwell.cli.record;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.stepwell.cli.log.LongMap;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds known secrets in bytes, however many are known, in one pass; used by one thread.
 *
 * <p>Every secret is entered under its first six bytes, and those are looked up at each place.
 */
final class SecretFinder {
  /** Shorter values are found everywhere, and so tell nothing. */
  static final int MIN_CHARACTERS = 6;

  private static final long WINDOW = 0xffff_ffff_ffffL;

  /** Spreads windows over the map, whose keys must be scattered. */
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  private final List<Secret> secrets = new ArrayList<>();
  private final Set<String> known = new HashSet<>();
  private final LongMap byWindow = new LongMap();

  /**
   * A secret in one of its forms.
   *
   * @param next the one with the same window that was there before; null for none
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Secret(byte[] bytes, String marker, @Nullable Secret next) {}

  boolean isEmpty() {
    return secrets.isEmpty();
  }

  /**
   * Remembers a secret, in the form that JSON gives it too; one that is too short isn't.
   *
   * @param marker what stands in its place
   */
  void add(String value, String marker) {
    if (value.length() < MIN_CHARACTERS || !known.add(value)) {
      return;
    }
    remember(value, marker);
    String quoted = new String(JsonStringEncoder.getInstance().quoteAsString(value));
    if (!quoted.equals(value)) {
      remember(quoted, marker);
    }
    String ascii = ascii(quoted);
    if (!ascii.equals(quoted)) {
      remember(ascii, marker);
    }
  }

  private static String ascii(String text) {
    StringBuilder ascii = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      ascii.append(each < 0x80 ? String.valueOf(each) : "\\u%04x".formatted((int) each));
    }
    return ascii.toString();
  }

  private void remember(String form, String marker) {
    byte[] bytes = form.getBytes(StandardCharsets.UTF_8);
    long window = 0;
    for (int i = 0; i < MIN_CHARACTERS; i++) {
      window = window << 8 | (bytes[i] & 0xff);
    }
    long before = byWindow.put(window * SPREAD, secrets.size());
    secrets.add(
        new Secret(bytes, marker, before == LongMap.ABSENT ? null : secrets.get((int) before)));
  }

  /** Whether one of them is in there. */
  boolean isIn(byte[] content) {
    return !isEmpty() && find(content, 0) != null;
  }

  /** The content with markers in place of secrets; null where there are none. */
  byte @Nullable [] without(byte[] content) {
    Found found = isEmpty() ? null : find(content, 0);
    if (found == null) {
      return null;
    }
    ByteArrayOutputStream cleaned = new ByteArrayOutputStream(content.length);
    int at = 0;
    while (found != null) {
      cleaned.write(content, at, found.at - at);
      cleaned.writeBytes(found.secret.marker.getBytes(StandardCharsets.UTF_8));
      at = found.at + found.secret.bytes.length;
      found = find(content, at);
    }
    cleaned.write(content, at, content.length - at);
    return cleaned.toByteArray();
  }

  private record Found(int at, Secret secret) {}

  private @Nullable Found find(byte[] content, int from) {
    long window = 0;
    for (int i = from; i < content.length; i++) {
      window = (window << 8 | (content[i] & 0xff)) & WINDOW;
      int begin = i - MIN_CHARACTERS + 1;
      if (begin >= from) {
        long place = byWindow.get(window * SPREAD);
        Secret secret = place == LongMap.ABSENT ? null : longest(content, begin, (int) place);
        if (secret != null) {
          return new Found(begin, secret);
        }
      }
    }
    return null;
  }

  private @Nullable Secret longest(byte[] content, int begin, int place) {
    Secret longest = null;
    for (Secret each = secrets.get(place); each != null; each = each.next) {
      if (startsWith(content, begin, each.bytes)
          && (longest == null || each.bytes.length > longest.bytes.length)) {
        longest = each;
      }
    }
    return longest;
  }

  private static boolean startsWith(byte[] content, int begin, byte[] secret) {
    if (content.length - begin < secret.length) {
      return false;
    }
    for (int i = 0; i < secret.length; i++) {
      if (content[begin + i] != secret[i]) {
        return false;
      }
    }
    return true;
  }
}
