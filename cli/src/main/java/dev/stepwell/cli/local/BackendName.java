package dev.stepwell.cli.local;

import java.util.Locale;

/** What {@code --backend} may say. */
public enum BackendName {
  /** Docker where an engine answers, else bubblewrap. */
  AUTO,
  /** A Docker engine. */
  DOCKER,
  /** Bubblewrap, without a daemon. */
  BUBBLEWRAP;

  /** As the worker's configuration writes it. */
  public String setting() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return setting();
  }
}
