package dev.stepwell.worker.execution;

import java.util.Map;

/** The names of Linux's signals. Stateless. */
final class Signals {
  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(1, "SIGHUP"),
          Map.entry(2, "SIGINT"),
          Map.entry(3, "SIGQUIT"),
          Map.entry(4, "SIGILL"),
          Map.entry(5, "SIGTRAP"),
          Map.entry(6, "SIGABRT"),
          Map.entry(7, "SIGBUS"),
          Map.entry(8, "SIGFPE"),
          Map.entry(9, "SIGKILL"),
          Map.entry(10, "SIGUSR1"),
          Map.entry(11, "SIGSEGV"),
          Map.entry(12, "SIGUSR2"),
          Map.entry(13, "SIGPIPE"),
          Map.entry(14, "SIGALRM"),
          Map.entry(15, "SIGTERM"),
          Map.entry(16, "SIGSTKFLT"),
          Map.entry(17, "SIGCHLD"),
          Map.entry(18, "SIGCONT"),
          Map.entry(19, "SIGSTOP"),
          Map.entry(20, "SIGTSTP"),
          Map.entry(21, "SIGTTIN"),
          Map.entry(22, "SIGTTOU"),
          Map.entry(23, "SIGURG"),
          Map.entry(24, "SIGXCPU"),
          Map.entry(25, "SIGXFSZ"),
          Map.entry(26, "SIGVTALRM"),
          Map.entry(27, "SIGPROF"),
          Map.entry(28, "SIGWINCH"),
          Map.entry(29, "SIGIO"),
          Map.entry(30, "SIGPWR"),
          Map.entry(31, "SIGSYS"));

  private Signals() {}

  /** The name of a signal; for real-time signals and others {@code SIG} and the number. */
  static String name(int number) {
    return NAMES.getOrDefault(number, "SIG" + number);
  }
}
