package dev.stepwell.client;

import dev.stepwell.protocol.Bytes;
import dev.stepwell.protocol.FileInput;
import dev.stepwell.protocol.SessionOperation;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The files of a session's workspace, to be read and changed without running a step; immutable and
 * thread-safe. Each call takes its turn among the session's steps: it sees what those sent before
 * left, and those sent after see what it changed. Changes count as steps of the session. Every
 * method blocks, at most as long as the client's answer timeout says for each request.
 */
public final class SessionFiles extends WorkspaceFiles {
  private final String sessionId;

  SessionFiles(Stepwell client, String sessionId) {
    super(client, sessionId, null);
    this.sessionId = sessionId;
  }

  /**
   * Puts a file into the workspace, in place of what is there; folders on the way come to be, and
   * so does the session.
   *
   * @param path relative to the workspace, at most 64 parts of at most 255 bytes
   * @throws FileRefusedException if a file is in the way of a folder, or the workspace's caps are
   *     reached
   * @throws dev.stepwell.protocol.InvalidMessageException if the path is none that a file may have
   * @throws MessageTooLargeException if it doesn't fit into one message, in which it grows by a
   *     third
   * @throws StepwellException if it was not put, or is not known to be
   */
  public void put(String path, byte[] content) {
    put(List.of(new FileInput(path, Bytes.of(content), null)));
  }

  /**
   * Puts files into the workspace, content by path. See {@link #put(Collection)}.
   *
   * @throws StepwellException as {@link #put(Collection)} does
   */
  public void put(Map<String, byte[]> contentByPath) {
    put(FileInputs.of(contentByPath));
  }

  /**
   * Puts files into the workspace. As many as fit go in one message and are put together or not at
   * all; where they take several messages, the first ones may be there though a later one failed.
   * An empty collection sends nothing.
   *
   * @throws FileRefusedException if a file is in the way of another, or the workspace's caps are
   *     reached
   * @throws dev.stepwell.protocol.InvalidMessageException if a path is none that a file may have
   * @throws MessageTooLargeException if one alone doesn't fit into a message; then none was sent
   * @throws StepwellException if they were not put, or are not known to be
   */
  public void put(Collection<FileInput> files) {
    List<SessionOperation.PutFiles> puts =
        FileInputs.lots(files, client().maxRequestBytes()).stream()
            .map(SessionOperation.PutFiles::new)
            .toList();
    puts.stream().map(put -> client().submit(put, sessionId)).toList().forEach(Operations::done);
  }

  /**
   * Removes files, links, and folders with all that is in them; all or none.
   *
   * @param paths 1 to 1000
   * @throws FileMissingException if there is nothing at one of them
   * @throws SessionUnknownException if there is no such session
   * @throws StepwellException if they were not removed, or are not known to be
   */
  public void remove(String... paths) {
    new Operations(client()).apply(new SessionOperation.RemoveFiles(List.of(paths)), sessionId);
  }
}
