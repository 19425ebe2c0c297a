package dev.stepwell.worker.sandbox;

import java.util.List;

/**
 * What no sandbox lets its code ask of the kernel, whatever the backend that makes the filter.
 *
 * <p>Every call here has been a way out of a sandbox, or reaches past namespaces, and no step's
 * code has a use for it. They are all that container engines usually deny, and what these have
 * learnt to deny since: {@code io_uring}, and sockets to the machine below the virtual one. A
 * filter denies and never kills: a refused call fails as it would for lack of a right, so that
 * libraries which only try go on.
 */
public final class SyscallRules {
  /** What a refused call fails with. */
  public static final int EPERM = 1;

  /** What a call fails with that pretends not to exist. */
  public static final int ENOSYS = 38;

  /** What a socket of another family fails with. */
  public static final int EAFNOSUPPORT = 97;

  /** The bits of {@code clone}'s flags that make namespaces: mount to network, without time. */
  public static final int NEW_NAMESPACES = 0x7E02_0000;

  /** The {@code ioctl}s that put characters into a terminal's input: TIOCSTI and TIOCLINUX. */
  public static final List<Integer> TERMINAL_INPUT = List.of(0x5412, 0x541C);

  /** Families of sockets that may be made: AF_UNIX, AF_INET, AF_INET6. */
  public static final List<Integer> SOCKET_FAMILIES = List.of(1, 2, 10);

  /**
   * One more family, AF_NETLINK, for protocol 0 alone: it tells of the sandbox's own interfaces.
   */
  public static final int NETLINK_FAMILY = 16;

  /** An architecture that has no such call. */
  public static final int NONE = -1;

  /**
   * A system call.
   *
   * @param name the kernel's name
   * @param x8664 its number on x86-64
   * @param aarch64 its number on 64-bit ARM
   */
  public record Syscall(String name, int x8664, int aarch64) {}

  /** Mounts and roots. */
  private static final List<Syscall> MOUNTS =
      List.of(
          new Syscall("mount", 165, 40),
          new Syscall("umount2", 166, 39),
          new Syscall("pivot_root", 155, 41),
          new Syscall("chroot", 161, 51),
          new Syscall("open_tree", 428, 428),
          new Syscall("move_mount", 429, 429),
          new Syscall("fsopen", 430, 430),
          new Syscall("fsconfig", 431, 431),
          new Syscall("fsmount", 432, 432),
          new Syscall("fspick", 433, 433),
          new Syscall("mount_setattr", 442, 442),
          new Syscall("statmount", 457, 457),
          new Syscall("listmount", 458, 458),
          new Syscall("open_tree_attr", 467, 467),
          new Syscall("quotactl", 179, 60),
          new Syscall("quotactl_fd", 443, 443),
          new Syscall("swapon", 167, 224),
          new Syscall("swapoff", 168, 225));

  /** Other namespaces, and files by handle, which no namespace hides. */
  private static final List<Syscall> NAMESPACES =
      List.of(
          new Syscall("unshare", 272, 97),
          new Syscall("setns", 308, 268),
          new Syscall("name_to_handle_at", 303, 264),
          new Syscall("open_by_handle_at", 304, 265),
          new Syscall("sethostname", 170, 161),
          new Syscall("setdomainname", 171, 162));

  /** Key rings belong to users, not to namespaces. */
  private static final List<Syscall> KEYS =
      List.of(
          new Syscall("add_key", 248, 217),
          new Syscall("request_key", 249, 218),
          new Syscall("keyctl", 250, 219));

  /** Large kernel interfaces with a history of holes. */
  private static final List<Syscall> KERNEL_SURFACE =
      List.of(
          new Syscall("bpf", 321, 280),
          new Syscall("perf_event_open", 298, 241),
          new Syscall("userfaultfd", 323, 282),
          new Syscall("io_uring_setup", 425, 425),
          new Syscall("io_uring_enter", 426, 426),
          new Syscall("io_uring_register", 427, 427),
          new Syscall("fanotify_init", 300, 262),
          new Syscall("fanotify_mark", 301, 263),
          new Syscall("lookup_dcookie", 212, 18),
          new Syscall("move_pages", 279, 239),
          new Syscall("migrate_pages", 256, 238),
          new Syscall("mbind", 237, 235),
          new Syscall("get_mempolicy", 239, 236),
          new Syscall("set_mempolicy", 238, 237),
          new Syscall("set_mempolicy_home_node", 450, 450),
          new Syscall("personality", 135, 92),
          new Syscall("nfsservctl", 180, 42),
          new Syscall("modify_ldt", 154, NONE),
          new Syscall("iopl", 172, NONE),
          new Syscall("ioperm", 173, NONE),
          new Syscall("uselib", 134, NONE),
          new Syscall("ustat", 136, NONE),
          new Syscall("sysfs", 139, NONE),
          new Syscall("_sysctl", 156, NONE));

  /** Other processes: the first one of the sandbox runs as the same user as the step's code. */
  private static final List<Syscall> OTHER_PROCESSES =
      List.of(
          new Syscall("ptrace", 101, 117),
          new Syscall("process_vm_readv", 310, 270),
          new Syscall("process_vm_writev", 311, 271),
          new Syscall("process_madvise", 440, 440),
          new Syscall("pidfd_getfd", 438, 438),
          new Syscall("kcmp", 312, 272));

  /** The machine as a whole. */
  private static final List<Syscall> MACHINE =
      List.of(
          new Syscall("reboot", 169, 142),
          new Syscall("kexec_load", 246, 104),
          new Syscall("kexec_file_load", 320, 294),
          new Syscall("create_module", 174, NONE),
          new Syscall("get_kernel_syms", 177, NONE),
          new Syscall("query_module", 178, NONE),
          new Syscall("init_module", 175, 105),
          new Syscall("finit_module", 313, 273),
          new Syscall("delete_module", 176, 106),
          new Syscall("settimeofday", 164, 170),
          new Syscall("clock_settime", 227, 112),
          new Syscall("adjtimex", 159, 171),
          new Syscall("clock_adjtime", 305, 266),
          new Syscall("syslog", 103, 116),
          new Syscall("acct", 163, 89),
          new Syscall("vhangup", 153, 58));

  /** The calls refused whatever their arguments, each once. */
  public static final List<Syscall> ALL =
      List.of(MOUNTS, NAMESPACES, KEYS, KERNEL_SURFACE, OTHER_PROCESSES, MACHINE).stream()
          .flatMap(List::stream)
          .toList();

  private SyscallRules() {}
}
