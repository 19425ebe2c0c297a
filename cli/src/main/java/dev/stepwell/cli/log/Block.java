package dev.stepwell.cli.log;

import org.jspecify.annotations.Nullable;

/**
 * A block's lines as they were read; not changed once made.
 *
 * @param position where it begins in the file
 * @param header what it says of itself
 * @param lines its lines, each ended by a line feed
 * @param tear why there are no more lines, where the file ends within the block; null where it is
 *     whole
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Block(long position, BlockHeader header, byte[] lines, @Nullable Tear tear) {
  /** Where the next one begins. */
  long next() {
    return position + header.memberBytes();
  }
}
