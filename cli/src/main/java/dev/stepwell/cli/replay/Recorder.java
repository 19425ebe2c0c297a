package dev.stepwell.cli.replay;

/** Takes what came of requests, so that it outlives this process; thread-safe. */
interface Recorder {
  /** Something came of a request. Once this returns the request need never be sent again. */
  void record(Finding finding, String replayId);

  /** A session was begun from a recorded snapshot, by a request of the replay's own. */
  void started(String session, String requestId);

  /** Something that a person should know. */
  void note(String line);
}
