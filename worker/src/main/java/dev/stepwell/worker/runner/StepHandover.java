package dev.stepwell.worker.runner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Gives a step to a runner: the step, its files, its variables. Owned by one thread.
 *
 * @param channel where to
 * @param folder where pieces can be placed for the runner; null to send their bytes
 */
record StepHandover(FrameChannel channel, @Nullable Path folder) {
  /** Eager pieces beyond these have to be asked for: the list of them is part of one frame. */
  private static final int MAX_EAGER = 1024;

  /**
   * Hands the step over.
   *
   * @return the places in the table of the variables' pieces that it was given at once
   * @throws IOException if the sandbox does not take it
   * @throws StateUnavailableException if a piece can't be had that it needs at once
   */
  List<Integer> hand(StepTask task)
      throws IOException, StateUnavailableException, InterruptedException {
    Variables variables = task.variables();
    List<Integer> eager = folder == null ? List.of() : eager(variables);
    List<PlacedPiece> places = place(task.state().pieces(), eager);
    FileListing listing = listing(task.state());
    byte[] body = body(task);

    Fields.Writer head = head(task);
    head.add("taskBytes", body.length)
        .add("bodyBytes", variables.body().length)
        .add("pieces", Bytes.uint32s(variables.sizes()))
        .add("treeBytes", listing.bytes().length)
        .add("treeDataBytes", listing.followingBytes());
    for (int i = 0; i < eager.size(); i++) {
      head.add("placed", PieceNeeds.placed(eager.get(i), places.get(i)));
    }
    listing.extents().forEach(extent -> head.add("extent", extent));

    channel.write('S', head.payload());
    channel.writeData(listing.bytes());
    for (int piece : listing.following()) {
      channel.writeData(content(task.state(), piece));
    }
    channel.writeData(body);
    channel.writeData(variables.body());
    channel.flush();
    return eager;
  }

  private static Fields.Writer head(StepTask task) {
    StateCaps caps = task.state().caps();
    return new Fields.Writer()
        .add("kind", kind(task))
        .add("step", task.step())
        .add("memoryBytes", task.limits().memoryBytes())
        .add("outputBytes", task.limits().outputBytes())
        .add("stateBytes", task.stateBytes())
        .add("newBytes", caps.newBytes())
        .add("components", caps.components())
        .add("manifestBytes", caps.manifestBytes())
        .add("reportsFiles", task.state().reportsFiles() ? 1 : 0)
        .add("fileBytes", caps.fileBytes())
        .add("files", caps.files())
        .add("strict", caps.strict() ? 1 : 0)
        .add("reseed", task.state().reseed() ? 1 : 0);
  }

  private static String kind(StepTask task) {
    return switch (task.kind()) {
      case PYTHON -> "python";
      case SHELL -> "shell";
      case ARGV -> "argv";
    };
  }

  private static byte[] body(StepTask task) {
    Fields.Writer body =
        new Fields.Writer().add("source", task.source()).add("stdin", task.stdin());
    if (task.prelude() != null) {
      body.add("prelude", task.prelude());
    }
    for (String argument : task.argv()) {
      body.add("argv", argument);
    }
    for (Map.Entry<String, String> variable : task.environment().entrySet()) {
      body.add("env." + variable.getKey(), variable.getValue());
    }
    return body.payload();
  }

  private static List<Integer> eager(Variables variables) {
    List<Integer> eager = variables.eager();
    return eager.subList(0, Math.min(eager.size(), MAX_EAGER));
  }

  private FileListing listing(StepState state)
      throws StateUnavailableException, InterruptedException {
    TreeSet<Integer> pieces = new TreeSet<>();
    for (FileEntry entry : state.files()) {
      if (entry instanceof FileEntry.Plain file) {
        pieces.addAll(file.pieces());
      }
    }
    List<Integer> ordered = folder == null ? List.of() : List.copyOf(pieces);
    List<PlacedPiece> found = place(state.filePieces(), ordered);
    Map<Integer, PlacedPiece> places = new LinkedHashMap<>();
    for (int i = 0; i < ordered.size(); i++) {
      places.put(ordered.get(i), found.get(i));
    }
    try {
      return new FileListing(state, places);
    } catch (IOException e) {
      throw new StateUnavailableException(e);
    }
  }

  private List<PlacedPiece> place(PieceSupply supply, List<Integer> pieces)
      throws StateUnavailableException, InterruptedException {
    if (folder == null || pieces.isEmpty()) {
      return List.of();
    }
    try {
      return supply.place(pieces, folder);
    } catch (IOException e) {
      throw new StateUnavailableException(e);
    }
  }

  private static byte[] content(StepState state, int piece)
      throws StateUnavailableException, InterruptedException {
    try {
      byte[] bytes = state.filePieces().read(piece);
      if (bytes.length != state.fileSizes().get(piece)) {
        throw new IOException("a piece of a file has another size than the listing says");
      }
      return bytes;
    } catch (IOException e) {
      throw new StateUnavailableException(e);
    }
  }
}
