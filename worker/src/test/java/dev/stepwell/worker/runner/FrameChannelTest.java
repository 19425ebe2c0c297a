package dev.stepwell.worker.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120) // Ends a test that hangs; nothing here depends on it.
class FrameChannelTest {
  private static final long SEED = 20_261_120;

  @Test
  void frame_isReadWhole() throws IOException {
    FrameChannel channel =
        channel(new ScriptedSandbox().says((byte) 'O').says(bytes(0, 0, 0, 2, 7)).says((byte) 8));

    Frame frame = channel.read();
    assertThat(frame.type()).isEqualTo('O');
    assertThat(frame.payload()).containsExactly(7, 8);
  }

  @Test
  void largestFrame_isRead() throws IOException {
    byte[] payload = new byte[Frame.MAX_PAYLOAD_BYTES];

    assertThat(channel(new ScriptedSandbox().says('T', payload)).read().payload())
        .hasSize(Frame.MAX_PAYLOAD_BYTES);
  }

  @Test
  void frameOverTheLimit_isRefusedBeforeItIsRead() {
    FrameChannel channel = channel(new ScriptedSandbox().says(bytes('T', 0, 0x10, 0, 1)));

    assertThatThrownBy(channel::read)
        .isInstanceOf(ChannelViolation.class)
        .hasMessageContaining("1048577");
  }

  @Test
  void lengthWithItsHighestBitSet_isNoNegativeLength() {
    FrameChannel channel = channel(new ScriptedSandbox().says(bytes('T', 0xff, 0xff, 0xff, 0xff)));

    assertThatThrownBy(channel::read).isInstanceOf(ChannelViolation.class);
  }

  @Test
  void typeThatIsNoLetter_isRefused() {
    FrameChannel channel = channel(new ScriptedSandbox().says(bytes(0, 0, 0, 0, 0)));

    assertThatThrownBy(channel::read).isInstanceOf(ChannelViolation.class);
  }

  @Test
  void endWithinAFrame_isAnEnd() {
    FrameChannel channel = channel(new ScriptedSandbox().says(bytes('T', 0, 0, 0, 9, 1)).ends());

    assertThatThrownBy(channel::read).isInstanceOf(EOFException.class);
  }

  @Test
  void fields_roundTrip() throws ChannelViolation {
    Random random = new Random(SEED);
    for (int round = 0; round < 500; round++) {
      byte[] value = new byte[random.nextInt(300)];
      random.nextBytes(value);
      String name = "n".repeat(1 + random.nextInt(255));
      Fields fields =
          Fields.parse(
              new Fields.Writer().add("first", round).add(name, value).add("é", "ü").payload());

      assertThat(fields.number("first")).isEqualTo(round);
      assertThat(fields.bytes(name)).isEqualTo(value);
    }
  }

  @Test
  void fieldsBeyondTheirPayload_areRefused() {
    byte[] whole = new Fields.Writer().add("name", "value").payload();
    for (int size = 1; size < whole.length; size++) {
      byte[] cut = Arrays.copyOf(whole, size);
      assertThatThrownBy(() -> Fields.parse(cut)).isInstanceOf(ChannelViolation.class);
    }
  }

  @Test
  void numbersThatAreNone_areRefused() throws ChannelViolation {
    for (String text : new String[] {"", "-1", "1e3", "٣", "9".repeat(19), " 1"}) {
      Fields fields = Fields.parse(new Fields.Writer().add("n", text).payload());
      assertThatThrownBy(() -> fields.number("n")).isInstanceOf(ChannelViolation.class);
    }
  }

  @Test
  void randomBytes_alwaysEndTyped() {
    Random random = new Random(SEED);
    for (int round = 0; round < 2_000; round++) {
      byte[] garbage = new byte[random.nextInt(200)];
      random.nextBytes(garbage);
      FrameChannel channel = channel(new ScriptedSandbox().says(garbage).ends());

      assertThatThrownBy(
              () -> {
                while (true) {
                  Fields.parse(channel.read().payload());
                }
              })
          .isInstanceOfAny(ChannelViolation.class, EOFException.class);
    }
  }

  @Test
  void textThatIsNoUtf8_isReplaced() throws ChannelViolation {
    Fields fields = Fields.parse(new Fields.Writer().add("t", bytes('a', 0xff)).payload());

    assertThat(fields.text("t")).isEqualTo("a\ufffd");
  }

  private static FrameChannel channel(ScriptedSandbox sandbox) {
    return new FrameChannel(sandbox);
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }
}
