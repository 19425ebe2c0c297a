package dev.stepwell.worker.state;

import java.io.IOException;
import java.nio.file.Path;

/** The disk of the piece cache is full, and nothing on it that the cache could give up. */
public final class CacheFullException extends IOException {
  private static final long serialVersionUID = 1L;

  CacheFullException(Path folder, IOException cause) {
    super("the disk of the scratch folder is full (" + folder + ")", cause);
  }
}
