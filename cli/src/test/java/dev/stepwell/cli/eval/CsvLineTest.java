package dev.stepwell.cli.eval;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CsvLineTest {
  @Test
  void fields_areQuotedWhereTheyMustBe() {
    assertThat(CsvLine.line(List.of("plain", "a,b", "say \"hi\"", "two\nlines", "cr\r", "")))
        .isEqualTo("plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\"cr\r\",\r\n");
  }

  @Test
  void object_isFlat_andNullIsEmpty() {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("id", "T/1").putNull("reason").put("ms", 1.5);
    line.putObject("outcomes").put("COMPLETED", 2).put("FAILED", 1);

    assertThat(CsvLine.header(line)).isEqualTo("id,reason,ms,outcomes\r\n");
    assertThat(CsvLine.of(line)).isEqualTo("T/1,,1.5,COMPLETED=2 FAILED=1\r\n");
  }
}
