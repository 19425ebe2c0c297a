package dev.stepwell.protocol;

/** The header names of dead letters. Key, value and headers are those of the original record. */
public final class DeadLetter {
  /** The topic that the record came from. */
  public static final String TOPIC = "stepwell-origin-topic";

  /** The partition that the record came from, decimal. */
  public static final String PARTITION = "stepwell-origin-partition";

  /** The offset that the record came from, decimal. */
  public static final String OFFSET = "stepwell-origin-offset";

  /** The {@link ErrorCode}'s name. */
  public static final String CODE = "stepwell-error-code";

  /** The reason for people. */
  public static final String REASON = "stepwell-error-message";

  private DeadLetter() {}
}
