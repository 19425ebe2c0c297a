package dev.stepwell.worker.runner;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Builds the state of a step for tests. What isn't set is empty, or far away. */
final class StateFixture {
  static final StateCaps CAPS =
      new StateCaps(64 << 20, 64 << 20, 1000, 1 << 20, 64 << 20, 1000, false);

  final PiecesInMemory variablePieces;
  final PiecesInMemory filePieces = new PiecesInMemory();
  private final List<FileEntry> files = new ArrayList<>();
  private byte[] body = new byte[0];
  private List<Integer> eager = List.of();
  private StateCaps caps = CAPS;
  private boolean reportsFiles;

  StateFixture() {
    this(new PiecesInMemory());
  }

  private StateFixture(PiecesInMemory variablePieces) {
    this.variablePieces = variablePieces;
  }

  /** The state that a step leaves which was given {@code before}. */
  static StateFixture after(StateFixture before, StepReport.State left) {
    StateFixture fixture = new StateFixture(before.variablePieces.after(left));
    fixture.body = left.body();
    fixture.eager = left.eager();
    return fixture;
  }

  StateFixture body(String text, byte[]... pieces) {
    body = text.getBytes(StandardCharsets.UTF_8);
    variablePieces.hold(pieces);
    return this;
  }

  StateFixture eager(Integer... places) {
    eager = Arrays.asList(places);
    return this;
  }

  StateFixture caps(StateCaps wanted) {
    caps = wanted;
    return this;
  }

  StateFixture reportsFiles() {
    reportsFiles = true;
    return this;
  }

  StateFixture folder(String path) {
    files.add(new FileEntry.Folder(path, 0755, 1_700_000_000_123_456_789L));
    return this;
  }

  StateFixture link(String path, String target) {
    files.add(new FileEntry.Link(path, target));
    return this;
  }

  /** A file, cut in pieces as the channel cuts them. */
  StateFixture file(String path, byte[] content) {
    List<Integer> pieces = new ArrayList<>();
    for (int at = 0; at < content.length; at += Piecework.MAX_PIECE_BYTES) {
      pieces.add(filePieces.table().size());
      filePieces.hold(
          Arrays.copyOfRange(
              content, at, Math.min(content.length, at + Piecework.MAX_PIECE_BYTES)));
    }
    files.add(new FileEntry.Plain(path, 0644, 1_600_000_000_000_000_001L, content.length, pieces));
    return this;
  }

  StepState state() {
    return new StepState(
        new Variables(body, variablePieces.sizes(), eager),
        variablePieces,
        variablePieces,
        files,
        filePieces.sizes(),
        filePieces,
        filePieces,
        caps,
        reportsFiles,
        false);
  }
}
