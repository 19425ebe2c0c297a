package dev.stepwell.worker.sandbox.process;

import dev.stepwell.worker.sandbox.SyscallRules;
import dev.stepwell.worker.sandbox.SyscallRules.Syscall;
import java.util.List;
import java.util.function.ToIntFunction;

/** Calls that change who a process is, or whose a file is. */
final class IdentityCalls {
  /** Says "as it is" in every place of these calls. */
  private static final int UNCHANGED = -1;

  private static final int ARGUMENT_BYTES = 8;
  private static final int INSTRUCTIONS_PER_ARGUMENT = 4;

  /** Refused whatever they ask: the first three change owners, the last one is for root alone. */
  static final List<Syscall> ALWAYS =
      List.of(
          new Syscall("chown", 92, SyscallRules.NONE),
          new Syscall("lchown", 94, SyscallRules.NONE),
          new Syscall("fchown", 93, 55),
          new Syscall("fchownat", 260, 54),
          new Syscall("setgroups", 116, 159));

  private IdentityCalls() {}

  /**
   * A call whose arguments are all ids.
   *
   * @param call the call
   * @param arguments how many it has
   */
  record Change(Syscall call, int arguments) {
    /** Refuses it unless each argument is {@code id} or says "as it is". */
    void refuseOthers(Bpf program, ToIntFunction<Syscall> numberOf, int id) {
      program.ifEqual(numberOf.applyAsInt(call), 0, INSTRUCTIONS_PER_ARGUMENT * arguments + 1);
      for (int i = 0; i < arguments; i++) {
        program
            .load(SeccompFilter.FIRST_ARGUMENT + ARGUMENT_BYTES * i)
            .ifEqual(id, 2, 0)
            .ifEqual(UNCHANGED, 1, 0)
            .answer(SeccompFilter.REFUSE | SyscallRules.EPERM);
      }
      program.answer(SeccompFilter.ALLOW);
    }
  }

  static List<Change> ofUser() {
    return List.of(
        new Change(new Syscall("setuid", 105, 146), 1),
        new Change(new Syscall("setreuid", 113, 145), 2),
        new Change(new Syscall("setresuid", 117, 147), 3));
  }

  static List<Change> ofGroup() {
    return List.of(
        new Change(new Syscall("setgid", 106, 144), 1),
        new Change(new Syscall("setregid", 114, 143), 2),
        new Change(new Syscall("setresgid", 119, 149), 3));
  }
}
