package dev.stepwell.worker.runner;

import dev.stepwell.worker.runner.StepReport.Files;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What became of the workspace, as it is told: content, then the entries that it belongs to. Owned
 * by the thread that runs the step.
 *
 * <p>The supervisor tells it, and no code of the step's is alive by then; it is checked all the
 * same.
 */
final class FileReport {
  /** The refused entries that are told one by one. */
  private static final int MAX_REFUSED = 200;

  private final StepTask task;
  private final List<FileEntry> changes = new ArrayList<>();
  private final Set<String> paths = new HashSet<>();
  private final List<Integer> uploadSizes = new ArrayList<>();
  private int uploadsUsed;
  private long newBytes;
  private long fileBytes;
  private int files;
  private int removed;
  private int refused;
  private @Nullable String unkept;

  FileReport(StepTask task) {
    this.task = task;
  }

  /** Takes the next piece of a file's content. */
  void content(byte[] piece) throws ChannelViolation {
    requireWanted();
    Piecework.check(piece);
    newBytes += piece.length;
    if (newBytes > task.state().caps().newBytes()) {
      throw new ChannelViolation(
          "content beyond the " + task.state().caps().newBytes() + " bytes that may be new");
    }
    // Every file has but one piece that is not full.
    StateCaps caps = task.state().caps();
    long most = caps.files() + caps.newBytes() / Piecework.MAX_PIECE_BYTES;
    require(uploadSizes.size() < most, "pieces of files");
    uploadSizes.add(piece.length);
    if (unkept != null) {
      return;
    }
    try {
      task.state().newContent().add(piece, 0, piece.length);
    } catch (IOException e) {
      unkept = "the workspace could not be kept: " + e.getMessage();
    }
  }

  /** Takes the next entries. */
  void entries(byte[] payload) throws ChannelViolation {
    requireWanted();
    ByteBuffer in = ByteBuffer.wrap(payload);
    try {
      while (in.hasRemaining()) {
        take(entry(in));
      }
    } catch (BufferUnderflowException e) {
      throw new ChannelViolation("an entry that reaches beyond its frame");
    }
  }

  /** The whole, once the end has come. */
  Files ended(@Nullable String failed, long refusedInAll) throws ChannelViolation {
    if (failed != null) {
      return Files.failed(failed);
    }
    if (uploadsUsed != uploadSizes.size()) {
      throw new ChannelViolation("content of no file");
    }
    return unkept == null
        ? new Files(changes, Math.max(refused, refusedInAll), null)
        : Files.failed(unkept);
  }

  private void requireWanted() throws ChannelViolation {
    if (!task.state().reportsFiles()) {
      throw new ChannelViolation("files that nobody asked about");
    }
  }

  private FileEntry entry(ByteBuffer in) throws ChannelViolation {
    char type = (char) in.get();
    String path = text(in);
    return switch (type) {
      case 'd' -> new FileEntry.Folder(path, mode(in), in.getLong());
      case 'f' -> file(path, in);
      case 'l' -> new FileEntry.Link(path, text(in));
      case 'x' -> new FileEntry.Removed(path);
      case '!' -> new FileEntry.Refused(path, text(in), text(in));
      default -> throw new ChannelViolation("an entry of type " + (int) type);
    };
  }

  private FileEntry file(String path, ByteBuffer in) throws ChannelViolation {
    int mode = mode(in);
    long mtimeNs = in.getLong();
    long bytes = in.getLong();
    int count = in.getInt();
    // Divided first: so large a size must not overflow into a small one.
    long pieces = bytes / Piecework.MAX_PIECE_BYTES;
    pieces += bytes % Piecework.MAX_PIECE_BYTES == 0 ? 0 : 1;
    if (bytes < 0 || count != pieces || count > uploadSizes.size() - uploadsUsed) {
      throw new ChannelViolation("a file of " + bytes + " bytes with " + count + " pieces");
    }
    List<Integer> used = new ArrayList<>(count);
    for (long left = bytes; left > 0; left -= Piecework.MAX_PIECE_BYTES) {
      if (uploadSizes.get(uploadsUsed) != Math.min(left, Piecework.MAX_PIECE_BYTES)) {
        throw new ChannelViolation("a file that its pieces don't make up");
      }
      used.add(uploadsUsed++);
    }
    return new FileEntry.Plain(path, mode, mtimeNs, bytes, used);
  }

  private void take(FileEntry entry) throws ChannelViolation {
    if (entry instanceof FileEntry.Refused) {
      refused++;
      require(refused <= MAX_REFUSED, "refused entries");
    } else {
      FileNames.checkPath(entry.path());
      if (!paths.add(entry.path())) {
        throw new ChannelViolation("a second word on one path");
      }
      count(entry);
    }
    changes.add(entry);
  }

  private void count(FileEntry entry) throws ChannelViolation {
    if (entry instanceof FileEntry.Removed) {
      removed++;
      require(removed <= task.state().files().size(), "removed entries");
      return;
    }
    if (entry instanceof FileEntry.Link link) {
      FileNames.checkTarget(link.target());
    }
    files++;
    require(files <= task.state().caps().files(), "entries");
    if (entry instanceof FileEntry.Plain file) {
      fileBytes += file.bytes();
      require(fileBytes <= task.state().caps().fileBytes(), "bytes of files");
    }
  }

  private static void require(boolean within, String what) throws ChannelViolation {
    if (!within) {
      throw new ChannelViolation("more " + what + " than there may be");
    }
  }

  private static int mode(ByteBuffer in) throws ChannelViolation {
    int mode = in.getShort() & 0xffff;
    if (mode > 0777) {
      throw new ChannelViolation("a mode of " + Integer.toOctalString(mode));
    }
    return mode;
  }

  private static String text(ByteBuffer in) throws ChannelViolation {
    byte[] bytes = new byte[in.getShort() & 0xffff];
    in.get(bytes);
    return FileNames.utf8(bytes);
  }
}
