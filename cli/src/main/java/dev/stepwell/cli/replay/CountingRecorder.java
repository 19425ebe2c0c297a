package dev.stepwell.cli.replay;

import java.util.concurrent.atomic.LongAdder;

/** Passes everything on, and counts findings; thread-safe. */
final class CountingRecorder implements Recorder {
  private final Recorder to;
  private final LongAdder findings = new LongAdder();

  CountingRecorder(Recorder to) {
    this.to = to;
  }

  /** How many findings were passed on by now. */
  long findings() {
    return findings.sum();
  }

  @Override
  public void record(Finding finding, String replayId) {
    to.record(finding, replayId);
    findings.increment();
  }

  @Override
  public void started(String session, String requestId) {
    to.started(session, requestId);
  }

  @Override
  public void note(String line) {
    to.note(line);
  }
}
