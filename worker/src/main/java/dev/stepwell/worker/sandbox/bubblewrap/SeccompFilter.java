package dev.stepwell.worker.sandbox.bubblewrap;

import dev.stepwell.worker.sandbox.bubblewrap.DeniedSyscalls.Syscall;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * The system call filter of every sandbox, for one processor architecture; immutable.
 *
 * <p>It denies and never kills: a refused call fails as it would for lack of a right, so that
 * libraries which only try go on. Everything that isn't denied is allowed: the namespaces, the
 * missing capabilities and the read-only root are what isolates, and this narrows what they leave.
 *
 * @param javaName what {@code os.arch} calls it
 * @param auditArchitecture what the kernel calls it
 * @param numberOf a call's number; {@link DeniedSyscalls#NONE} if there is no such call
 * @param numbers the calls whose arguments decide
 */
record SeccompFilter(
    String javaName,
    int auditArchitecture,
    ToIntFunction<Syscall> numberOf,
    ArgumentCalls numbers) {

  /** Numbers of the calls whose arguments decide. */
  record ArgumentCalls(int cloneCall, int clone3, int ioctl, int socket, int personality) {}

  // Offsets in struct seccomp_data; arguments are 64 bit, the low half of each comes first.
  static final int NUMBER = 0;
  static final int ARCHITECTURE = 4;
  static final int FIRST_ARGUMENT = 16;
  static final int SECOND_ARGUMENT = 24;
  static final int THIRD_ARGUMENT = 32;

  static final int ALLOW = 0x7FFF_0000;
  static final int REFUSE = 0x0005_0000;
  static final int EPERM = 1;
  static final int ENOSYS = 38;
  static final int EAFNOSUPPORT = 97;

  /** Calls of the x32 interface, which has numbers of its own for the same calls. */
  private static final int X32_BIT = 0x4000_0000;

  /** CLONE_NEWNS, -CGROUP, -UTS, -IPC, -USER, -PID, -NET. */
  private static final int NEW_NAMESPACES = 0x7E02_0000;

  /** Both put characters into a terminal's input. */
  private static final int TIOCSTI = 0x5412;

  private static final int TIOCLINUX = 0x541C;

  private static final int AF_UNIX = 1;
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int AF_NETLINK = 16;
  private static final int NETLINK_ROUTE = 0;

  private static final int PERSONALITY_LINUX = 0;
  private static final int PERSONALITY_QUERY = 0xFFFF_FFFF;

  /** AMD and Intel, 64 bit. */
  static final SeccompFilter X86_64 =
      new SeccompFilter(
          "amd64", 0xC000_003E, Syscall::x8664, new ArgumentCalls(56, 435, 16, 41, 135));

  /** ARM, 64 bit. */
  static final SeccompFilter AARCH64 =
      new SeccompFilter(
          "aarch64", 0xC000_00B7, Syscall::aarch64, new ArgumentCalls(220, 435, 29, 198, 92));

  /** The filter for the {@code os.arch} of a machine; empty where there is none. */
  static Optional<SeccompFilter> of(String osArch) {
    return Stream.of(X86_64, AARCH64).filter(filter -> filter.javaName.equals(osArch)).findFirst();
  }

  /** The program, as {@code bwrap --seccomp} reads it. */
  byte[] assemble() {
    Bpf program = new Bpf();
    // A 32-bit call on a 64-bit machine comes with another architecture, and other numbers.
    program
        .load(ARCHITECTURE)
        .ifEqual(auditArchitecture, 1, 0)
        .answer(REFUSE | ENOSYS)
        .load(NUMBER)
        .ifAtLeast(X32_BIT, 0, 1)
        .answer(REFUSE | ENOSYS);
    for (Syscall denied : DeniedSyscalls.ALL) {
      int number = numberOf.applyAsInt(denied);
      if (number != DeniedSyscalls.NONE) {
        program.ifEqual(number, 0, 1).answer(REFUSE | EPERM);
      }
    }
    // Its flags are in memory, which a filter can't read; C libraries fall back to clone.
    program.ifEqual(numbers.clone3, 0, 1).answer(REFUSE | ENOSYS);
    clone(program);
    ioctl(program);
    socket(program);
    personality(program);
    return program.answer(ALLOW).assemble();
  }

  private void clone(Bpf program) {
    program
        .ifEqual(numbers.cloneCall, 0, 4)
        .load(FIRST_ARGUMENT)
        .ifAnyBit(NEW_NAMESPACES, 0, 1)
        .answer(REFUSE | EPERM)
        .answer(ALLOW);
  }

  private void ioctl(Bpf program) {
    program
        .ifEqual(numbers.ioctl, 0, 5)
        .load(SECOND_ARGUMENT)
        .ifEqual(TIOCSTI, 1, 0)
        .ifEqual(TIOCLINUX, 0, 1)
        .answer(REFUSE | EPERM)
        .answer(ALLOW);
  }

  /** A socket of any other family, AF_VSOCK above all, may reach past the network namespace. */
  private void socket(Bpf program) {
    program
        .ifEqual(numbers.socket, 0, 9)
        .load(FIRST_ARGUMENT)
        .ifEqual(AF_UNIX, 5, 0)
        .ifEqual(AF_INET, 4, 0)
        .ifEqual(AF_INET6, 3, 0)
        .ifEqual(AF_NETLINK, 0, 3)
        .load(THIRD_ARGUMENT)
        .ifEqual(NETLINK_ROUTE, 0, 1)
        .answer(ALLOW)
        .answer(REFUSE | EAFNOSUPPORT);
  }

  private void personality(Bpf program) {
    program
        .ifEqual(numbers.personality, 0, 5)
        .load(FIRST_ARGUMENT)
        .ifEqual(PERSONALITY_LINUX, 1, 0)
        .ifEqual(PERSONALITY_QUERY, 0, 1)
        .answer(ALLOW)
        .answer(REFUSE | EPERM);
  }
}
