package dev.stepwell.protocol;

/** The reasons for results that are no report of user code. Names are part of the wire format. */
public enum ErrorCode {
  /**
   * The message is no JSON object in UTF-8, names a field twice, goes on after its end, or is
   * nested too deeply.
   */
  NOT_JSON,
  /** The message's version is one this worker doesn't speak. */
  UNSUPPORTED_VERSION,
  /** A field is missing, of the wrong type, or outside its range. */
  INVALID_FIELD,
  /** The message is larger than the worker accepts. */
  MESSAGE_TOO_LARGE,
  /** {@code source} is empty or blank. */
  EMPTY_SOURCE,
  /** The Kafka key or partition is not the one that {@code sessionId} calls for. */
  WRONG_PARTITION,
  /** The profile is not configured on this worker. */
  UNKNOWN_PROFILE,
  /** A limit is beyond what the profile allows. */
  LIMIT_BEYOND_PROFILE,
  /** The reply topic is not one that this worker may write to. */
  REPLY_TOPIC_NOT_ALLOWED,
  /** The deadline had passed before the step could start. */
  DEADLINE_PASSED,
  /** A fork names a session that there is already. */
  SESSION_EXISTS,
  /** The session has had no step, has ended, or has expired. */
  SESSION_UNKNOWN,
  /** There is no such step, or no state of it or an earlier one is retained. */
  STEP_UNKNOWN,
  /** {@code base} is no reference that a worker here issued, or its state has expired. */
  BASE_INVALID,
  /** The workspace has no file at that path. */
  FILE_NOT_FOUND,
  /** A file can't be put, given or removed: not a regular file, or beyond the workspace's caps. */
  FILE_REFUSED,
  /** The publisher asked for it. */
  CANCELLED,
  /** The step ran into the limit on processes and threads. */
  PROCESS_LIMIT,
  /** The step ran into the limit on disk space. */
  DISK_LIMIT,
  /** The step ran into the limit on memory. */
  MEMORY_LIMIT,
  /** The step ran into its wall-clock limit. */
  TIME_LIMIT,
  /** The step's process died of a signal, or ended without a report. */
  PROCESS_DIED,
  /** No sandbox could be had. The code has not run. */
  NO_SANDBOX,
  /**
   * The session's snapshot could not be read back, and the code has not run; or a part of it that
   * the code asked for while it ran.
   */
  STATE_UNREADABLE,
  /** The sandbox was lost while the code ran. */
  SANDBOX_LOST,
  /** Workers died on this request as often as is allowed. */
  ATTEMPTS_EXHAUSTED,
  /** A fault in Stepwell itself. */
  INTERNAL
}
