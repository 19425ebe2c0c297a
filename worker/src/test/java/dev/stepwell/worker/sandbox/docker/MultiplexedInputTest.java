package dev.stepwell.worker.sandbox.docker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class MultiplexedInputTest {
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

  private void send(int stream, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    sent.writeBytes(ByteBuffer.allocate(8).put(0, (byte) stream).putInt(4, bytes.length).array());
    sent.writeBytes(bytes);
  }

  private MultiplexedInput input() {
    return new MultiplexedInput(new ByteArrayInputStream(sent.toByteArray()));
  }

  @Test
  void output_isTakenOutOfTheRest() throws IOException {
    send(1, "one ");
    send(2, "error");
    send(1, "");
    send(1, "two");
    MultiplexedInput input = input();
    assertThat(new String(input.readAllBytes(), UTF_8)).isEqualTo("one two");
    assertThat(input.errors()).isEqualTo("error");
    assertThat(input.read()).isEqualTo(-1);
  }

  @Test
  void errors_keepTheirEnd() throws IOException {
    send(2, "a".repeat(5_000));
    send(2, "b".repeat(3_000));
    send(2, "the end");
    MultiplexedInput input = input();
    assertThat(input.read()).isEqualTo(-1);
    assertThat(input.errors())
        .hasSize(4096)
        .isEqualTo("a".repeat(4096 - 3007) + "b".repeat(3_000) + "the end");
  }

  @Test
  void brokenStream_fails() {
    send(1, "whole");
    byte[] bytes = sent.toByteArray();
    for (int length : new int[] {1, 7, 9, bytes.length - 1}) {
      MultiplexedInput cut =
          new MultiplexedInput(new ByteArrayInputStream(Arrays.copyOf(bytes, length)));
      assertThatThrownBy(cut::readAllBytes).as("%d", length).isInstanceOf(IOException.class);
    }
    bytes[0] = 9;
    MultiplexedInput unknown = new MultiplexedInput(new ByteArrayInputStream(bytes));
    assertThatThrownBy(unknown::readAllBytes).hasMessageContaining("unknown kind 9");
    bytes[0] = 1;
    bytes[4] = (byte) 0xFF;
    MultiplexedInput negative = new MultiplexedInput(new ByteArrayInputStream(bytes));
    assertThatThrownBy(negative::readAllBytes).isInstanceOf(IOException.class);
  }
}
