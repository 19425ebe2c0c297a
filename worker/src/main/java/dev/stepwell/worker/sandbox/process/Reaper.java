package dev.stepwell.worker.sandbox.process;

import dev.stepwell.worker.sandbox.Owner;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the control groups and folders of workers that are gone.
 *
 * @param cgroups where groups are
 * @param stateParent where private folders are
 */
public record Reaper(CgroupTree cgroups, Path stateParent) {
  private static final Logger LOG = LoggerFactory.getLogger(Reaper.class);

  /**
   * Does it once. What can't be removed is logged.
   *
   * @return how many sandboxes and folders were removed
   */
  public int reap() throws IOException {
    Set<Path> removed = new HashSet<>();
    for (Path folder : cgroups.folders()) {
      for (Path name : ownerless(folder)) {
        try {
          CgroupFolder.killAndRemove(folder.resolve(name));
          removed.add(name);
        } catch (IOException e) {
          LOG.warn("{} is left behind", folder.resolve(name), e);
        }
      }
    }
    int folders = 0;
    for (Path name : ownerless(stateParent)) {
      folders += StateFolder.delete(stateParent, name) ? 1 : 0;
    }
    return removed.size() + folders;
  }

  private static List<Path> ownerless(Path folder) throws IOException {
    List<Path> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "stepwell-*")) {
      for (Path entry : entries) {
        Path name = entry.getFileName();
        Optional<Owner> owner = name == null ? Optional.empty() : Owner.ofName(name.toString());
        if (owner.isPresent() && owner.get().isGone()) {
          names.add(name);
        }
      }
    }
    return names;
  }
}
