package dev.stepwell.worker.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.worker.sandbox.SyscallRules;
import dev.stepwell.worker.sandbox.SyscallRules.Syscall;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The filter's programs, run by a machine of a few lines: not every architecture is at hand. */
final class SeccompFilterTest {
  private static final int EPERM = SeccompFilter.REFUSE | SyscallRules.EPERM;
  private static final int ENOSYS = SeccompFilter.REFUSE | SyscallRules.ENOSYS;
  private static final int EAFNOSUPPORT = SeccompFilter.REFUSE | SyscallRules.EAFNOSUPPORT;

  static List<SeccompFilter> filters() {
    return List.of(SeccompFilter.X86_64, SeccompFilter.AARCH64);
  }

  private static int call(SeccompFilter filter, int number, long... arguments) {
    return callAs(filter, filter.auditArchitecture(), number, arguments);
  }

  private static int callAs(SeccompFilter filter, int architecture, int number, long... arguments) {
    ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.nativeOrder());
    data.putInt(number).putInt(architecture).putLong(0);
    for (long argument : arguments) {
      data.putLong(argument);
    }
    return run(filter.assemble(), data);
  }

  private static int run(byte[] bytes, ByteBuffer data) {
    ByteBuffer program = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    int accumulator = 0;
    while (true) {
      int code = program.getShort();
      int ifTrue = Byte.toUnsignedInt(program.get());
      int ifFalse = Byte.toUnsignedInt(program.get());
      int operand = program.getInt();
      boolean holds =
          switch (code) {
            case 0x15 -> accumulator == operand;
            case 0x35 -> Integer.compareUnsigned(accumulator, operand) >= 0;
            case 0x45 -> (accumulator & operand) != 0;
            default -> false;
          };
      switch (code) {
        case 0x20 -> accumulator = data.getInt(operand);
        case 0x06 -> {
          return operand;
        }
        case 0x15, 0x35, 0x45 ->
            program.position(program.position() + 8 * (holds ? ifTrue : ifFalse));
        default -> throw new AssertionError("no such instruction " + code);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("filters")
  void everyDeniedCall_isRefused(SeccompFilter filter) {
    for (Syscall denied : SyscallRules.ALL) {
      int number = filter.numberOf().applyAsInt(denied);
      if (number != SyscallRules.NONE) {
        assertThat(call(filter, number)).as(denied.name()).isEqualTo(EPERM);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("filters")
  void everyOtherCall_isAllowed(SeccompFilter filter) {
    Set<Integer> decided = new HashSet<>();
    SyscallRules.ALL.forEach(denied -> decided.add(filter.numberOf().applyAsInt(denied)));
    decided.add(filter.numbers().clone3());
    decided.add(filter.numbers().socket());
    for (int number = 0; number < 470; number++) {
      if (!decided.contains(number)) {
        assertThat(call(filter, number, 0, 0, 0)).as("%d", number).isEqualTo(SeccompFilter.ALLOW);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("filters")
  void foreignAndUnknownCalls_dontExist(SeccompFilter filter) {
    int i386 = 0x4000_0003;
    assertThat(callAs(filter, i386, 20)).isEqualTo(ENOSYS);
    assertThat(call(filter, 470)).isEqualTo(ENOSYS);
    assertThat(call(filter, 0x4000_0000 | 1)).isEqualTo(ENOSYS);
    assertThat(call(filter, -1)).isEqualTo(ENOSYS);
    assertThat(call(filter, filter.numbers().clone3())).isEqualTo(ENOSYS);
  }

  @ParameterizedTest
  @MethodSource("filters")
  void clone_makesThreadsAndChildren_notNamespaces(SeccompFilter filter) {
    int clone = filter.numbers().cloneCall();
    int thread = 0x3d0f00;
    int child = 0x1200011;
    assertThat(call(filter, clone, thread)).isEqualTo(SeccompFilter.ALLOW);
    assertThat(call(filter, clone, child)).isEqualTo(SeccompFilter.ALLOW);
    for (int flag :
        List.of(0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000)) {
      assertThat(call(filter, clone, child | flag)).as("%x", flag).isEqualTo(EPERM);
    }
  }

  @ParameterizedTest
  @MethodSource("filters")
  void ioctl_writesIntoNoTerminal(SeccompFilter filter) {
    int ioctl = filter.numbers().ioctl();
    assertThat(call(filter, ioctl, 0, 0x5401)).isEqualTo(SeccompFilter.ALLOW);
    assertThat(call(filter, ioctl, 0, 0x5412)).isEqualTo(EPERM);
    assertThat(call(filter, ioctl, 0, 0x541C)).isEqualTo(EPERM);
    assertThat(call(filter, ioctl, 0, 0x5412L | 1L << 32)).as("high bits").isEqualTo(EPERM);
  }

  @ParameterizedTest
  @MethodSource("filters")
  void socket_isOfAllowedFamilies(SeccompFilter filter) {
    int socket = filter.numbers().socket();
    for (int family = 0; family < 64; family++) {
      boolean allowed = List.of(1, 2, 10, 16).contains(family);
      assertThat(call(filter, socket, family, 1, 0))
          .as("family %d", family)
          .isEqualTo(allowed ? SeccompFilter.ALLOW : EAFNOSUPPORT);
    }
    int netfilter = 12;
    assertThat(call(filter, socket, 16, 3, netfilter)).isEqualTo(EAFNOSUPPORT);
  }

  @Test
  void numbers_areDistinct() {
    for (SeccompFilter filter : filters()) {
      assertThat(
              SyscallRules.ALL.stream()
                  .map(filter.numberOf()::applyAsInt)
                  .filter(number -> number != SyscallRules.NONE))
          .doesNotHaveDuplicates();
    }
  }
}
