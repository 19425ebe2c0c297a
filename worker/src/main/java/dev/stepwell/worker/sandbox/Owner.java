package dev.stepwell.worker.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process that a control group or a folder belongs to, as its name says; immutable.
 *
 * <p>A process id alone can be given again, so that the time of its start belongs to it; and it
 * means something in its own pid namespace only.
 *
 * @param pid process id
 * @param startTicks when it started, in clock ticks since the machine did
 * @param pidNamespace the inode of its pid namespace
 */
public record Owner(long pid, long startTicks, String pidNamespace) {
  private static final Pattern NAME = Pattern.compile("stepwell-(\\d+)-(\\d+)-(\\d+)-.*");

  /** Position of the start time in /proc/PID/stat, counted after the command's name. */
  private static final int START_TICKS_FIELD = 19;

  /** This process. */
  public static Owner self() throws IOException {
    long pid = ProcessHandle.current().pid();
    return new Owner(pid, startTicks(pid), ownPidNamespace());
  }

  /** The name of something of this owner's that is called {@code suffix} among its own. */
  public String nameOf(String suffix) {
    return "stepwell-" + pid + "-" + startTicks + "-" + pidNamespace + "-" + suffix;
  }

  /** Whose a thing of that name is; empty if no worker made it. */
  public static Optional<Owner> ofName(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches()
        ? Optional.of(
            new Owner(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                matcher.group(3)))
        : Optional.empty();
  }

  /** Whether it is known to have ended; false where that can't be told from here. */
  public boolean isGone() throws IOException {
    if (!pidNamespace.equals(ownPidNamespace())) {
      return false;
    }
    try {
      return startTicks(pid) != startTicks;
    } catch (NoSuchFileException e) {
      return true;
    }
  }

  private static long startTicks(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    // The command's name, in parentheses, may hold spaces and parentheses itself.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return Long.parseLong(fields[START_TICKS_FIELD]);
  }

  private static String ownPidNamespace() throws IOException {
    String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
    return link.replaceAll("\\D", "");
  }
}
