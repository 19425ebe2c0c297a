package dev.stepwell.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.protocol.CancelRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Head;
import dev.stepwell.protocol.InvalidMessageException;
import dev.stepwell.protocol.Request;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Sends random messages through the codec. {@code -Dstepwell.seed=N} repeats a run. */
final class RoundTripTest {
  private static final int ROUNDS = 500;
  private static final long SEED = Long.getLong("stepwell.seed", System.nanoTime());

  private final MessageCodec codec = new MessageCodec();

  @Test
  void anyMessage_comesBackEqual() {
    RandomMessages messages = new RandomMessages(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      Request request = messages.request();
      assertThat(codec.decodeRequest(codec.encode(request))).as(seed(round)).isEqualTo(request);
      ExecutionResult result = messages.result();
      assertThat(codec.decodeResult(codec.encode(result))).as(seed(round)).isEqualTo(result);
      Head head = messages.head();
      assertThat(codec.decodeHead(codec.encode(head))).as(seed(round)).isEqualTo(head);
      CancelRequest cancel = messages.cancel();
      assertThat(codec.decodeCancel(codec.encode(cancel))).as(seed(round)).isEqualTo(cancel);
    }
  }

  @Test
  void anyMessage_isValidByItsSchema() {
    RandomMessages messages = new RandomMessages(SEED);
    for (int round = 0; round < ROUNDS / 10; round++) {
      assertThat(Schemas.errors("request", codec.encode(messages.request())))
          .as(seed(round))
          .isEmpty();
      assertThat(Schemas.errors("result", codec.encode(messages.result())))
          .as(seed(round))
          .isEmpty();
      assertThat(Schemas.errors("head", codec.encode(messages.head()))).as(seed(round)).isEmpty();
      assertThat(Schemas.errors("cancel", codec.encode(messages.cancel())))
          .as(seed(round))
          .isEmpty();
    }
  }

  @Test
  void salvage_findsWhatTheCodecFinds() {
    RandomMessages messages = new RandomMessages(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      Request request = messages.request();
      assertThat(RequestSalvage.from(codec.encode(request)))
          .as(seed(round))
          .isEqualTo(
              new RequestSalvage(request.requestId(), request.sessionId(), request.replyTo()));
    }
  }

  @Test
  void garbage_isRefusedAndThrowsNothingElse() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] garbage = new byte[random.nextInt(200)];
      random.nextBytes(garbage);
      acceptOrRefuse(garbage, seed(round));
    }
  }

  @Test
  void damagedMessage_isAcceptedOrRefusedAndThrowsNothingElse() {
    SplittableRandom random = new SplittableRandom(SEED);
    RandomMessages messages = new RandomMessages(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      for (byte[] message :
          List.of(
              codec.encode(messages.request()),
              codec.encode(messages.result()),
              codec.encode(messages.head()))) {
        damage(message, random);
        acceptOrRefuse(message, seed(round));
      }
    }
  }

  /** JSON's own characters do the most harm. */
  private static void damage(byte[] message, SplittableRandom random) {
    byte[] harm = {'{', '}', '[', ']', '"', ',', ':', '\\', '0', '-', 'e', 0, (byte) 0xff};
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      message[random.nextInt(message.length)] = harm[random.nextInt(harm.length)];
    }
  }

  private void acceptOrRefuse(byte[] message, String seed) {
    List<Consumer<byte[]>> decoders =
        List.of(codec::decodeRequest, codec::decodeResult, codec::decodeHead, codec::decodeCancel);
    for (Consumer<byte[]> decoder : decoders) {
      try {
        decoder.accept(message);
      } catch (InvalidMessageException e) {
        assertThat(e.code()).as(seed).isNotNull();
      } catch (RuntimeException e) {
        throw new AssertionError(seed, e);
      }
    }
    RequestSalvage.from(message);
  }

  private static String seed(int round) {
    return "round " + round + " of -Dstepwell.seed=" + SEED;
  }
}
