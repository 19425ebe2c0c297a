package dev.stepwell.worker.sandbox.process;

import dev.stepwell.worker.sandbox.SyscallRules;
import dev.stepwell.worker.sandbox.SyscallRules.Syscall;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * The system call filter of every sandbox, for one processor architecture; immutable.
 *
 * <p>What {@link SyscallRules} don't refuse is allowed: the namespaces, the missing capabilities
 * and the read-only root are what isolates, and this narrows what they leave.
 *
 * @param javaName what {@code os.arch} calls it
 * @param auditArchitecture what the kernel calls it
 * @param numberOf a call's number; {@link SyscallRules#NONE} if there is no such call
 * @param numbers the calls whose arguments decide
 */
public record SeccompFilter(
    String javaName,
    int auditArchitecture,
    ToIntFunction<Syscall> numberOf,
    ArgumentCalls numbers) {

  /** Numbers of the calls whose arguments decide. */
  public record ArgumentCalls(int cloneCall, int clone3, int ioctl, int socket) {}

  // Offsets in struct seccomp_data; arguments are 64 bit, the low half of each comes first.
  static final int NUMBER = 0;
  static final int ARCHITECTURE = 4;
  static final int FIRST_ARGUMENT = 16;
  static final int SECOND_ARGUMENT = 24;
  static final int THIRD_ARGUMENT = 32;

  static final int ALLOW = 0x7FFF_0000;
  static final int REFUSE = 0x0005_0000;

  /**
   * From here on are calls that the rules can't know: newer ones, which programs expect older
   * kernels not to have, and the x32 interface, which has other numbers for the same calls.
   */
  private static final int UNKNOWN_CALLS = 470;

  private static final int DEFAULT_PROTOCOL = 0;

  /** AMD and Intel, 64 bit. */
  static final SeccompFilter X86_64 =
      new SeccompFilter("amd64", 0xC000_003E, Syscall::x8664, new ArgumentCalls(56, 435, 16, 41));

  /** ARM, 64 bit. */
  static final SeccompFilter AARCH64 =
      new SeccompFilter(
          "aarch64", 0xC000_00B7, Syscall::aarch64, new ArgumentCalls(220, 435, 29, 198));

  /** The filter for the {@code os.arch} of a machine; empty where there is none. */
  public static Optional<SeccompFilter> of(String osArch) {
    return Stream.of(X86_64, AARCH64).filter(filter -> filter.javaName.equals(osArch)).findFirst();
  }

  /** The program, as {@code bwrap --seccomp} reads it. */
  public byte[] assemble() {
    return rules().answer(ALLOW).assemble();
  }

  /**
   * The program for a process that another filter lies to: one that answers every change of owner
   * or user with success and makes none. Here these calls fail as they do for everybody without
   * rights; changing to what one is already is left to the other filter.
   *
   * @param uid the user that the process is
   * @param gid its group
   */
  public byte[] assembleFor(int uid, int gid) {
    Bpf program = rules();
    IdentityCalls.ofUser().forEach(call -> call.refuseOthers(program, numberOf, uid));
    IdentityCalls.ofGroup().forEach(call -> call.refuseOthers(program, numberOf, gid));
    for (Syscall denied : IdentityCalls.ALWAYS) {
      refuse(program, denied);
    }
    return program.answer(ALLOW).assemble();
  }

  private Bpf rules() {
    Bpf program = new Bpf();
    // A 32-bit call on a 64-bit machine comes with another architecture, and other numbers.
    program
        .load(ARCHITECTURE)
        .ifEqual(auditArchitecture, 1, 0)
        .answer(REFUSE | SyscallRules.ENOSYS)
        .load(NUMBER)
        .ifAtLeast(UNKNOWN_CALLS, 0, 1)
        .answer(REFUSE | SyscallRules.ENOSYS);
    for (Syscall denied : SyscallRules.ALL) {
      refuse(program, denied);
    }
    // Its flags are in memory, which a filter can't read; C libraries fall back to clone.
    program.ifEqual(numbers.clone3, 0, 1).answer(REFUSE | SyscallRules.ENOSYS);
    clone(program);
    ioctl(program);
    socket(program);
    return program;
  }

  private void refuse(Bpf program, Syscall denied) {
    int number = numberOf.applyAsInt(denied);
    if (number != SyscallRules.NONE) {
      program.ifEqual(number, 0, 1).answer(REFUSE | SyscallRules.EPERM);
    }
  }

  private void clone(Bpf program) {
    program
        .ifEqual(numbers.cloneCall, 0, 4)
        .load(FIRST_ARGUMENT)
        .ifAnyBit(SyscallRules.NEW_NAMESPACES, 0, 1)
        .answer(REFUSE | SyscallRules.EPERM)
        .answer(ALLOW);
  }

  private void ioctl(Bpf program) {
    int denied = SyscallRules.TERMINAL_INPUT.size();
    program.ifEqual(numbers.ioctl, 0, 1 + 2 * denied + 1).load(SECOND_ARGUMENT);
    for (int request : SyscallRules.TERMINAL_INPUT) {
      program.ifEqual(request, 0, 1).answer(REFUSE | SyscallRules.EPERM);
    }
    program.answer(ALLOW);
  }

  /** A socket of any other family, AF_VSOCK above all, may reach past the network namespace. */
  private void socket(Bpf program) {
    int allowed = SyscallRules.SOCKET_FAMILIES.size();
    program.ifEqual(numbers.socket, 0, 1 + 2 * allowed + 5).load(FIRST_ARGUMENT);
    for (int family : SyscallRules.SOCKET_FAMILIES) {
      program.ifEqual(family, 0, 1).answer(ALLOW);
    }
    program
        .ifEqual(SyscallRules.NETLINK_FAMILY, 0, 3)
        .load(THIRD_ARGUMENT)
        .ifEqual(DEFAULT_PROTOCOL, 0, 1)
        .answer(ALLOW)
        .answer(REFUSE | SyscallRules.EAFNOSUPPORT);
  }
}
