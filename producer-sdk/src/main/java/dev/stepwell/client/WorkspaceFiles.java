package dev.stepwell.client;

import static java.util.Objects.requireNonNull;

import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.WorkspaceEntry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of a workspace, to be read without running a step; immutable and thread-safe. Paths are
 * relative to {@code /workspace}, with slashes. Every method blocks, at most as long as the
 * client's answer timeout says for each request that it takes.
 *
 * <p>What is here was made by code in sandboxes: names, links and contents are to be trusted no
 * more than that code.
 */
public sealed class WorkspaceFiles permits SessionFiles {
  private final Stepwell client;
  private final @Nullable String sessionId;
  private final @Nullable String base;

  WorkspaceFiles(Stepwell client, @Nullable String sessionId, @Nullable String base) {
    this.client = client;
    this.sessionId = sessionId;
    this.base = base;
  }

  /**
   * Everything in the workspace: files, folders and links, in the order of the paths' bytes.
   *
   * @throws SessionUnknownException if there is no such session
   * @throws StateUnavailableException if the state is no longer retained
   * @throws StepwellException if there is no answer
   */
  public List<WorkspaceEntry> list() {
    return list("");
  }

  /**
   * What has a path that begins with a text, in the order of the paths' bytes.
   *
   * @param prefix such as {@code out/} for what is in a folder; at most 4096 bytes
   * @throws SessionUnknownException if there is no such session
   * @throws StateUnavailableException if the state is no longer retained
   * @throws StepwellException if there is no answer
   */
  public List<WorkspaceEntry> list(String prefix) {
    requireNonNull(prefix, "prefix");
    SessionAnswer.Files page = page(prefix, null, sessionId, base);
    List<WorkspaceEntry> entries = new ArrayList<>(page.entries());
    while (page.more()) {
      if (page.entries().isEmpty()) {
        throw Operations.unreadable("a list of files is said to go on, and has nothing in it");
      }
      // By its reference the rest is that of the same workspace, and waits for no step.
      String last = entries.get(entries.size() - 1).path();
      page = page(prefix, last, null, page.reference());
      entries.addAll(page.entries());
    }
    return List.copyOf(entries);
  }

  /**
   * The content of a file, as a whole and as it was at one time.
   *
   * @throws FileMissingException if nothing is at that path
   * @throws FileRefusedException if it is no regular file; links are not followed
   * @throws SessionUnknownException if there is no such session
   * @throws StateUnavailableException if the state is no longer retained
   * @throws StepwellException if there is no answer
   */
  public byte[] get(String path) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    try {
      copy(path, content);
    } catch (IOException e) {
      throw new UncheckedIOException("memory refused a write", e);
    }
    return content.toByteArray();
  }

  /**
   * Writes the content of a file to a stream, with a few megabytes of it in memory at once. The
   * stream stays open.
   *
   * @return how many bytes there were
   * @throws IOException if the stream refuses them
   * @throws StepwellException as {@link #get} does; the stream may have taken some of it by then
   */
  public long copy(String path, OutputStream target) throws IOException {
    requireNonNull(target, "target");
    return new FileDownload(client, requireNonNull(path, "path")).copy(sessionId, base, target);
  }

  private SessionAnswer.Files page(
      String prefix, @Nullable String after, @Nullable String session, @Nullable String state) {
    return new Operations(client)
        .ask(
            new SessionOperation.ListFiles(prefix, after, SessionOperation.MAX_ENTRIES, state),
            session,
            SessionAnswer.Files.class);
  }

  final Stepwell client() {
    return client;
  }
}
