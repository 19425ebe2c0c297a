package dev.stepwell.cli.replay;

import dev.stepwell.cli.log.LogHeader;
import dev.stepwell.cli.log.RecordedLog;
import dev.stepwell.cli.log.RecordedRequest;
import dev.stepwell.cli.log.RecordedResult;
import dev.stepwell.cli.log.RecordedSnapshot;
import dev.stepwell.cli.log.Tear;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A log that is made up while it is read, so that it can be very long. */
record MadeUpLog(
    long count, LongFunction<RecordedRequest> request, LongFunction<RecordedResult> result)
    implements RecordedLog {
  @Override
  public LogHeader header() {
    return LogHeader.PLAIN;
  }

  @Override
  public OptionalLong requestCount() {
    return OptionalLong.of(count);
  }

  @Override
  public Cursor<RecordedRequest> requests() {
    return FakeLog.cursor(count, request);
  }

  @Override
  public Cursor<RecordedResult> results() {
    return FakeLog.cursor(count, result);
  }

  @Override
  public List<RecordedSnapshot> snapshots(String sessionId) {
    return List.of();
  }

  @Override
  public @Nullable RecordedSnapshot snapshot(String id) {
    return null;
  }

  @Override
  public byte @Nullable [] piece(String id) {
    return null;
  }

  @Override
  public @Nullable Tear tear() {
    return null;
  }

  @Override
  public void close() {}
}
