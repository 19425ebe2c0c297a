package dev.stepwell.worker.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class PickleAddressesTest {
  private static String replaced(String hex) {
    return HexFormat.of().formatHex(PickleAddresses.replaced(HexFormat.of().parseHex(hex)));
  }

  @Test
  void addresses_areNumberedInTheirOrder() {
    assertThat(replaced("5d8a06100000aa347f8a06200000aa347f8a06100000aa347f61"))
        .isEqualTo("5d8a060000000000008a060100000000008a0600000000000061");
  }

  @Test
  void otherNumbers_areLeftAlone() {
    String odd = "8a06110000aa347f";
    String short_ = "8a05100000aa7f";
    String cut = "8a06100000aa34";
    assertThat(replaced(odd + short_ + cut)).isEqualTo(odd + short_ + cut);
  }
}
