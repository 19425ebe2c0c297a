package dev.stepwell.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.Test;

final class BytesTest {
  @Test
  void bytes_keepTheirContentWhateverBecomesOfTheArrays() {
    byte[] array = {1, 2, 3};
    Bytes bytes = Bytes.of(array);
    array[0] = 9;
    bytes.toArray()[1] = 9;
    assertThat(bytes.toArray()).containsExactly(1, 2, 3);
    assertThatThrownBy(() -> bytes.buffer().put((byte) 9))
        .isInstanceOf(ReadOnlyBufferException.class);
  }

  @Test
  void bytes_areEqualByContent() {
    Bytes bytes = Bytes.of(new byte[] {1, 2, 3});
    assertThat(bytes)
        .isEqualTo(Bytes.fromBase64("AQID"))
        .hasSameHashCodeAs(Bytes.fromBase64("AQID"))
        .isNotEqualTo(Bytes.EMPTY);
    assertThat(Bytes.of(new byte[0])).isSameAs(Bytes.EMPTY);
  }

  @Test
  void text_saysHowManyBytesAndNotWhich() {
    assertThat(Bytes.fromBase64("c2VjcmV0")).hasToString("6 bytes");
  }
}
