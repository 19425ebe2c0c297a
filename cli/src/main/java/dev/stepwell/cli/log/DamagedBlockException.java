package dev.stepwell.cli.log;

/** A block can't be read; the tear says where and why. Never leaves this package. */
final class DamagedBlockException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Tear tear;

  DamagedBlockException(long position, String reason) {
    super(reason);
    tear = new Tear(position, reason);
  }

  Tear tear() {
    return tear;
  }
}
