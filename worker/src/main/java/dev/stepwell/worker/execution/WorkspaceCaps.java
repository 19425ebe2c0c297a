package dev.stepwell.worker.execution;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.worker.sandbox.StateLimits;
import dev.stepwell.worker.workspace.Node;
import dev.stepwell.worker.workspace.Trees;

/** Holds what clients put into workspaces to the profile's limits. */
final class WorkspaceCaps {
  private WorkspaceCaps() {}

  /**
   * @throws InvalidMessageException if the tree holds more than it may
   */
  static void check(Node.Folder tree, StateLimits limits, String field) {
    Trees.Extent extent = Trees.extent(tree);
    if (extent.entries() > limits.files() || extent.bytes() > limits.fileBytes()) {
      throw new InvalidMessageException(
          ErrorCode.FILE_REFUSED,
          field,
          "the workspace would hold "
              + extent.entries()
              + " entries and "
              + extent.bytes()
              + " bytes; it may hold "
              + limits.files()
              + " and "
              + limits.fileBytes()
              + " (settings workspace.files and workspace.bytes of the profile)");
    }
  }
}
