package dev.stepwell.cli.local;

import java.util.Locale;

/** What {@code --backend} may say. */
public enum BackendName {
  /** Docker where an engine answers, else bubblewrap, else enroot. */
  AUTO,
  /** A Docker engine. */
  DOCKER,
  /** Bubblewrap, without a daemon. */
  BUBBLEWRAP,
  /** Enroot, from squashfs images; it must be installed already. */
  ENROOT;

  /** As the worker's configuration writes it. */
  public String setting() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return setting();
  }
}
