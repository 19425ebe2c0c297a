package dev.stepwell.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BrokerProcessIT {
  private static final Path LIB = Path.of("target", "dist", "lib");
  private static final Duration START = Duration.ofSeconds(60);

  @Test
  void readyBroker_takesConnectionsUntilItIsClosed() throws IOException {
    String address;
    try (BrokerProcess broker = BrokerProcess.start(LIB, 0, null, START)) {
      address = broker.bootstrap();
      connect(address);
      assertThat(broker.ended()).isNotDone();
    }
    assertThatThrownBy(() -> connect(address)).isInstanceOf(IOException.class);
  }

  @Test
  void temporaryFolder_goesWithTheBroker() throws Exception {
    BrokerChild child = BrokerChild.start(LIB, 0, null);
    child.awaitReady(START);
    assertThat(child.dataFolder()).isNotEmptyDirectory();
    child.process().getOutputStream().close();
    assertThat(child.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(child.dataFolder()).doesNotExist();
    assertThat(child.process().exitValue()).isZero();
  }

  @Test
  void brokerWhoseParentLeavesWhileItStarts_leavesTooAndClearsUp() throws Exception {
    BrokerChild child = BrokerChild.start(LIB, 0, null);
    child.process().getOutputStream().close();
    assertThat(child.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(child.dataFolder()).doesNotExist();
  }

  @Test
  void terminatedBroker_clearsUp() throws Exception {
    BrokerChild child = BrokerChild.start(LIB, 0, null);
    child.awaitReady(START);
    child.process().destroy();
    assertThat(child.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(child.dataFolder()).doesNotExist();
  }

  @Test
  void killedBroker_isClearedUpAfter() throws Exception {
    BrokerChild child = BrokerChild.start(LIB, 0, null);
    child.awaitReady(START);
    child.process().destroyForcibly().waitFor();
    assertThat(child.dataFolder()).exists();
    child.end();
    assertThat(child.dataFolder()).doesNotExist();
  }

  @Test
  void namedFolder_servesAgain(@TempDir Path folder) throws IOException {
    for (int start = 0; start < 2; start++) {
      try (BrokerProcess broker = BrokerProcess.start(LIB, 0, folder, START)) {
        connect(broker.bootstrap());
      }
      assertThat(folder.resolve("kafka")).isNotEmptyDirectory();
    }
  }

  @Test
  void folderOfARunningBroker_isRefused(@TempDir Path folder) throws IOException {
    try (BrokerProcess broker = BrokerProcess.start(LIB, 0, folder, START)) {
      assertThatThrownBy(() -> BrokerProcess.start(LIB, 0, folder, START))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(folder.toString());
      connect(broker.bootstrap());
    }
  }

  @Test
  void takenPort_isNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> BrokerProcess.start(LIB, taken.getLocalPort(), null, START))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("port " + taken.getLocalPort() + " can't be had");
    }
  }

  @Test
  void folderWithoutABroker_isNamed(@TempDir Path empty) {
    Path lib = empty.resolve("lib");
    assertThatThrownBy(() -> BrokerProcess.start(lib, 0, null, START))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(lib.toString());
  }

  private static void connect(String address) throws IOException {
    String[] parts = address.split(":", 2);
    try (Socket socket = new Socket(parts[0], Integer.parseInt(parts[1]))) {
      assertThat(socket.isConnected()).isTrue();
    }
  }
}
