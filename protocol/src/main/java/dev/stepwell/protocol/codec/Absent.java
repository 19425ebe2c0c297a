package dev.stepwell.protocol.codec;

/** What becomes of an optional field that has no value. */
enum Absent {
  /** The field is left out. */
  OMITTED,
  /** The field is null, so that a reader sees what it could have found. */
  WRITTEN
}
