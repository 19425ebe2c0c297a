package dev.stepwell.cli.log;

import org.jspecify.annotations.Nullable;

/** What a block holds; the numbers are part of the format. */
enum BlockKind {
  /** The line that says what the log is; always the first block. */
  HEADER(1),
  REQUESTS(2),
  RESULTS(3),
  /** Snapshots and their pieces. */
  STATE(4),
  /** Where snapshots and pieces are, and how many there are of everything. */
  INDEX(5),
  /** Nothing: its link says where the index begins. */
  END(6);

  private final int number;

  BlockKind(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  /** The kind of a number; null for one that a later writer of this version may have added. */
  static @Nullable BlockKind of(int number) {
    for (BlockKind kind : values()) {
      if (kind.number == number) {
        return kind;
      }
    }
    return null;
  }
}
