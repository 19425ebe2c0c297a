package dev.stepwell.client;

import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.WorkspaceEntry;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Reads one file range by range; owned by the thread that reads. The first answer says how large
 * the file is and which state it is of; the other ranges are asked of that state, a few at once, so
 * that the file is whole whatever becomes of the session meanwhile.
 */
final class FileDownload {
  private static final int RANGE_BYTES = SessionOperation.MAX_CONTENT_BYTES;

  /** How many ranges are asked for ahead. */
  private static final int RANGES_AHEAD = 8;

  private final Stepwell client;
  private final String path;
  private final MessageDigest digest = sha256();
  private long copied;

  FileDownload(Stepwell client, String path) {
    this.client = client;
    this.path = path;
  }

  long copy(@Nullable String sessionId, @Nullable String base, OutputStream target)
      throws IOException {
    SessionAnswer.Content first = content(client.submit(range(0, base), sessionId));
    WorkspaceEntry file = first.entry();
    write(first, file, target);
    Deque<Execution> asked = new ArrayDeque<>();
    try {
      for (long next = RANGE_BYTES; next < file.bytes() || !asked.isEmpty(); ) {
        while (next < file.bytes() && asked.size() < RANGES_AHEAD) {
          asked.add(client.submit(range(next, first.reference()), null));
          next += RANGE_BYTES;
        }
        write(content(asked.remove()), file, target);
      }
    } finally {
      asked.forEach(Execution::abandon);
    }
    checkHash(file);
    return copied;
  }

  private SessionOperation range(long offset, @Nullable String base) {
    return new SessionOperation.GetFile(path, offset, RANGE_BYTES, base);
  }

  private static SessionAnswer.Content content(Execution execution) {
    return Operations.answer(execution, SessionAnswer.Content.class);
  }

  private void write(SessionAnswer.Content range, WorkspaceEntry file, OutputStream target)
      throws IOException {
    long expected = Math.min(RANGE_BYTES, file.bytes() - copied);
    if (range.offset() != copied || range.content().size() != expected) {
      throw Operations.unreadable(
          "the file %s has %d bytes, and of those from %d on %d came from %d on"
              .formatted(path, file.bytes(), copied, range.content().size(), range.offset()));
    }
    digest.update(range.content().buffer());
    target.write(range.content().toArray());
    copied += range.content().size();
  }

  private void checkHash(WorkspaceEntry file) {
    String hash = HexFormat.of().formatHex(digest.digest());
    if (file.sha256() != null && !file.sha256().equals(hash)) {
      throw Operations.unreadable(
          "the file %s has the SHA-256 %s, and what came has %s"
              .formatted(path, file.sha256(), hash));
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
