package dev.stepwell.worker.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.worker.archive.MarshalReader.MarshalException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MarshalReaderTest {
  private static Plain read(String hex) throws MarshalException {
    return MarshalReader.read(HexFormat.of().parseHex(hex), 0);
  }

  /** Made by {@code marshal.dumps(value, 2)}. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "28030000004e5446|(None, True, False)",
        "2808000000690000000069ffffffff69ffffff7f69000000806c030000000000000002006cfdffffff00"
            + "00000000046c230000000000000000000000000000000000000000000000000000000000000000000000"
            + "00000000000000000000000000000000000000000000000000000000000000000000000002006cf9ffff"
            + "ffff7fff7fff7fff7fff7fff7fff03|(0, -1, 2147483647, -2147483648, 2147483648, -1099511"
            + "627776, 6703903964971298549787012499102923063739682910296196688861780721860882015036"
            + "773488400937149083451713845015929093243025426876941405973284973216824503042048, -126"
            + "7650600228229401496703205375)",
        "280500000067000000000000000067000000000000008067000000000000f83f679c7500883ce4377e6700000000"
            + "0000f07f|(0.0, -0.0, 1.5, 1e+300, inf)",
        "79000000000000f03f0000000000000040|(1.0+2.0j)",
        "28020000007300000000730200000000ff|(b'', b'\\x00\\xff')",
      })
  void value_isWhatPythonWrote(String hex, String expected) throws MarshalException {
    assertThat(PlainText.of(read(hex))).isEqualTo(expected);
  }

  @Test
  void texts_areThoseOfPython_loneSurrogatesAmongThem() throws MarshalException {
    List<Plain> texts =
        TableReader.tuple(
            read(
                "280600000075000000007501000000617506000000c3a4c3b6c3bc7503000000e282ac7504000000f0"
                    + "9f98807503000000eda080"));
    assertThat(texts.subList(0, 5))
        .extracting(each -> ((Plain.Text) each).text())
        .containsExactly("", "a", "\u00e4\u00f6\u00fc", "\u20ac", "\ud83d\ude00");
    assertThat(((Plain.Text) texts.get(5)).utf8()).hasSize(3);
  }

  @Test
  void dict_keepsItsOrderAndItsKeys() throws MarshalException {
    Plain.Mapping mapping =
        (Plain.Mapping)
            read(
                "7b7501000000615b020000006901000000280200000069020000007b7501000000624e3069030000"
                    + "005b0000000030");
    assertThat(mapping.entries())
        .extracting(e -> PlainText.of(e.key()))
        .containsExactly("'a'", "3");
    assertThat(PlainText.of(mapping.entries().get(0).value())).isEqualTo("[1, (2, {...})]");
  }

  /** An end too early, wrong counts, other types, more behind the end. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "69",
        "690000",
        "280100000028",
        "28ffffffff",
        "28ffffff7f",
        "73ffffff7f00",
        "7b4e",
        "7b",
        "30",
        "4e4e",
        "6cffffff7f0000",
        "6c000000800000",
        "6c010000000080",
        "6300000000",
        "3c010000004e",
        "7200000000",
        "e9",
        "2e",
        "53",
      })
  void whatIsNoPlainValue_isRefused(String hex) {
    assertThatThrownBy(() -> read(hex)).isInstanceOf(MarshalException.class);
  }

  @Test
  void depthAndNumber_areBounded() {
    String deep = "2801000000".repeat(1_000_000) + "4e";
    assertThatThrownBy(() -> read(deep))
        .isInstanceOf(MarshalException.class)
        .hasMessageContaining("deeper");
    byte[] many = new byte[5 + 3_000_000];
    many[0] = '[';
    many[1] = (byte) (3_000_000 & 0xff);
    many[2] = (byte) (3_000_000 >> 8 & 0xff);
    many[3] = (byte) (3_000_000 >> 16 & 0xff);
    java.util.Arrays.fill(many, 5, many.length, (byte) 'T');
    assertThatThrownBy(() -> MarshalReader.read(many, 0))
        .isInstanceOf(MarshalException.class)
        .hasMessageContaining("more than");
  }

  @Test
  void anyBytes_areAValueOrRefused() {
    Random random = new Random(11);
    byte[] types = "NTFilgysu([{0".getBytes(StandardCharsets.US_ASCII);
    int values = 0;
    for (int i = 0; i < 30_000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      for (int at = 0; at < bytes.length; at++) {
        int kind = random.nextInt(3);
        bytes[at] = kind == 0 ? types[random.nextInt(types.length)] : kind == 1 ? 0 : bytes[at];
      }
      try {
        PlainText.of(MarshalReader.read(bytes, 0));
        values++;
      } catch (MarshalException e) {
        assertThat(e).hasMessageNotContaining("null");
      }
    }
    assertThat(values).isPositive();
  }
}
