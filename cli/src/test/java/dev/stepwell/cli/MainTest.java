package dev.stepwell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.cli.process.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void noCommand_isWrongUsage() {
    assertThat(execute()).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err.toString()).contains("Which command?").contains("demo").contains("eval");
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "up", "worker", "exec", "eval", "record", "topics", "images"})
  void help_describesEveryCommand(String command) {
    assertThat(execute(command, "--help")).isEqualTo(ExitCodes.OK);
    assertThat(out.toString()).contains("stepwell " + command);
  }

  @Test
  void unknownOption_isNamed() {
    assertThat(execute("demo", "--backends", "docker")).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err.toString()).contains("--backends");
  }

  @Test
  void wrongDuration_isNamed() {
    assertThat(execute("exec", "--timeout", "30", "x.py")).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err.toString()).contains("'30' is no duration");
  }

  @Test
  void missingFile_isNamedBeforeAnythingIsStarted() {
    assertThat(execute("exec", "no-such-file.py")).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err)
        .hasToString("stepwell: there is no file no-such-file.py" + System.lineSeparator());
  }

  @Test
  void preludeThatIsNone_isNamedBeforeAnythingIsStarted(@TempDir Path folder) throws IOException {
    String step = Files.writeString(folder.resolve("a.py"), "1").toString();
    String blank = Files.writeString(folder.resolve("b.py"), "\n").toString();
    assertThat(execute("exec", "--prelude", blank, step)).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err.toString()).contains(blank + " is blank");
    assertThat(execute("exec", "--shell", "--prelude", step, step))
        .isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err.toString()).contains("--prelude is Python source");
  }

  @Test
  void missingFileToPut_isNamedBeforeAnythingIsStarted(@TempDir Path folder) throws IOException {
    Path step = Files.writeString(folder.resolve("a.py"), "1");
    assertThat(execute("exec", "--put", "in/a.csv=no-such-file.csv", step.toString()))
        .isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err)
        .hasToString("stepwell: there is no file no-such-file.csv" + System.lineSeparator());
  }

  @Test
  void fileThatIsNoUtf8_isNamed(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("latin.py"), new byte[] {'#', (byte) 0xe4});
    assertThat(execute("exec", file.toString())).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err.toString()).contains("latin.py is no UTF-8");
  }

  @Test
  void brokerThatIsNotThere_isOneSentence(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("a.py"), "1");
    String address = unusedAddress();
    assertThat(execute("exec", "--bootstrap", address, file.toString()))
        .isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err.toString()).contains("no Kafka answers at " + address).doesNotContain("\tat ");
  }

  @Test
  void wrongSettingOfAWorker_isNamed(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("w"), "bootstrap.servers=127.0.0.1:1\nslot=2\n");
    assertThat(execute("worker", "--config", file.toString())).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err.toString()).contains("slot").doesNotContain("\tat ");
  }

  @Test
  void concurrencyOutOfRange_isNamed() {
    assertThat(execute("eval", "--concurrency", "0", "x")).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err.toString()).contains("--concurrency is 0");
  }

  @Test
  void topicsWithoutPartitions_areRefused() {
    assertThat(execute("topics", "--bootstrap", "127.0.0.1:1", "--partitions", "0"))
        .isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(err.toString()).contains("--partitions is 0");
  }

  private static String unusedAddress() throws IOException {
    try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + unused.getLocalPort();
    }
  }

  private int execute(String... arguments) {
    return Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true))
        .execute(arguments);
  }
}
