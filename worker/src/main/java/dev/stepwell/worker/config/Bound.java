package dev.stepwell.worker.config;

/**
 * A setting's value as a limit of another's; immutable.
 *
 * @param name the setting's name in a file
 * @param kind how the value is written
 * @param value in the kind's base unit
 */
record Bound(String name, Kind kind, long value) {
  /**
   * @throws ConfigException if this is more than {@code upper}
   */
  void atMost(Bound upper) {
    if (value > upper.value) {
      throw new ConfigException(name, this + " must be at most " + upper + "; change one of them");
    }
  }

  @Override
  public String toString() {
    return "%s (%s)".formatted(name, kind.format(value));
  }
}
