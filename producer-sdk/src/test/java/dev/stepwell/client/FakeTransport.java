package dev.stepwell.client;

import dev.stepwell.protocol.CancelRequest;
import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Request;
import dev.stepwell.protocol.codec.MessageCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Keeps what is sent, and hands on what a test replies; thread-safe. */
final class FakeTransport implements Transport {
  final MessageCodec codec = new MessageCodec();
  final BlockingQueue<OutgoingMessage> sent = new LinkedBlockingQueue<>();
  volatile boolean closed;
  volatile @Nullable StepwellException failure;
  volatile @Nullable RuntimeException openFailure;
  private volatile @Nullable ReplyListener listener;

  /** Answers requests as they are sent, on the sender's thread; null leaves them to the test. */
  volatile @Nullable Function<Request, List<ExecutionResult>> worker;

  @Override
  public void open(ReplyListener replyListener) {
    if (openFailure != null) {
      throw openFailure;
    }
    listener = replyListener;
  }

  @Override
  public void send(OutgoingMessage message, Consumer<StepwellException> onFailure) {
    StepwellException reason = failure;
    if (reason != null) {
      onFailure.accept(reason);
    } else {
      sent.add(message);
      work(message);
    }
  }

  private void work(OutgoingMessage message) {
    Function<Request, List<ExecutionResult>> answering = worker;
    if (answering != null && message.topic().equals("stepwell.requests")) {
      answering.apply(codec.decodeRequest(message.value())).forEach(this::reply);
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  ExecutionRequest nextRequest() throws InterruptedException {
    return (ExecutionRequest) codec.decodeRequest(next("stepwell.requests").value());
  }

  CancelRequest nextCancel() throws InterruptedException {
    return codec.decodeCancel(next("stepwell.control").value());
  }

  OutgoingMessage next(String topic) throws InterruptedException {
    OutgoingMessage message = sent.take();
    if (!message.topic().equals(topic)) {
      throw new AssertionError("sent to " + message.topic() + " and not to " + topic);
    }
    return message;
  }

  void reply(ExecutionResult result) {
    reply(
        result.sessionId() == null ? result.requestId() : result.sessionId(), codec.encode(result));
  }

  void reply(String key, byte[] message) {
    ReplyListener open = listener();
    if (open.wants(key)) {
      open.reply(message);
    }
  }

  ReplyListener listener() {
    return Objects.requireNonNull(listener, "not open");
  }

  List<OutgoingMessage> drain() {
    List<OutgoingMessage> drained = new ArrayList<>();
    sent.drainTo(drained);
    return drained;
  }
}
