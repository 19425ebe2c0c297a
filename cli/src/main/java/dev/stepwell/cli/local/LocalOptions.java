package dev.stepwell.cli.local;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to start on this machine; immutable.
 *
 * @param backend what makes sandboxes
 * @param port the broker's port, 0 for any that is free
 * @param dataFolder where the broker keeps its data; null for a temporary folder
 * @param profiles what to get ready beside the default profile
 * @param slots how many steps run at once; 0 for one a core
 */
public record LocalOptions(
    BackendName backend, int port, @Nullable Path dataFolder, List<String> profiles, int slots) {
  public LocalOptions {
    profiles = List.copyOf(profiles);
  }

  /** A stack for one command: any port, nothing kept. */
  public static LocalOptions temporary(BackendName backend, List<String> profiles, int slots) {
    return new LocalOptions(backend, 0, null, profiles, slots);
  }
}
