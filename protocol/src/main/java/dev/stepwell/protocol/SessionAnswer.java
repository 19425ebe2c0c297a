package dev.stepwell.protocol;

import java.util.List;
import java.util.Objects;

/** What a {@link SessionOperation} that reads is answered with; immutable. */
public sealed interface SessionAnswer {
  /**
   * The answer to {@link SessionOperation.Locate}.
   *
   * @param reference the state's reference
   * @param step the step that left it, at most the one asked for
   */
  record Located(String reference, long step) implements SessionAnswer {
    public Located {
      Objects.requireNonNull(reference, "reference");
      Checks.reference("session.reference", reference);
      Checks.atLeast("session.step", step, 0);
    }
  }

  /**
   * The answer to {@link SessionOperation.History}.
   *
   * @param entries the steps, newest first
   * @param more whether there are older ones, to be asked for with the last entry's step as {@code
   *     beforeStep}
   */
  record History(List<HistoryEntry> entries, boolean more) implements SessionAnswer {
    public History {
      entries = List.copyOf(entries);
    }
  }

  /**
   * The answer to {@link SessionOperation.ListFiles}.
   *
   * @param reference the reference of the state that was read, by which the next ones are those of
   *     the same workspace
   * @param entries what is there, in the order of the paths' bytes as UTF-8
   * @param more whether there are others, to be asked for with the last entry's path as {@code
   *     after}
   */
  record Files(String reference, List<WorkspaceEntry> entries, boolean more)
      implements SessionAnswer {
    public Files {
      Objects.requireNonNull(reference, "reference");
      Checks.reference("session.reference", reference);
      entries = List.copyOf(entries);
    }
  }

  /**
   * The answer to {@link SessionOperation.GetFile}.
   *
   * @param reference the reference of the state that was read, by which the next range is one of
   *     the same file
   * @param entry the file
   * @param offset the first byte of the content, as asked for
   * @param content at most 512 KiB; fewer than asked for only at the file's end
   */
  record Content(String reference, WorkspaceEntry entry, long offset, Bytes content)
      implements SessionAnswer {
    public Content {
      Objects.requireNonNull(reference, "reference");
      Checks.reference("session.reference", reference);
      Objects.requireNonNull(entry, "entry");
      Checks.atLeast("session.offset", offset, 0);
      Objects.requireNonNull(content, "content");
    }
  }
}
