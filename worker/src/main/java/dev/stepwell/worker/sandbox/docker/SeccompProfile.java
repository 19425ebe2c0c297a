package dev.stepwell.worker.sandbox.docker;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stepwell.worker.sandbox.SyscallRules;
import dev.stepwell.worker.sandbox.SyscallRules.Syscall;
import java.util.List;

/**
 * {@link SyscallRules} as the engine reads them.
 *
 * <p>The engine's own profile is not used: what it denies depends on its version, and some that are
 * in use leave {@code io_uring} and sockets to the hypervisor open. A container has one profile,
 * not two.
 */
final class SeccompProfile {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final long LOW_WORD = 0xFFFF_FFFFL;

  private SeccompProfile() {}

  /** The profile, for the security option {@code seccomp=}. */
  static String json() {
    ArrayNode rules = JSON.arrayNode();
    ArrayNode denied = refusal(rules, SyscallRules.EPERM);
    SyscallRules.ALL.stream().map(Syscall::name).forEach(denied::add);
    // Its flags are in memory, which a filter can't read; C libraries fall back to clone.
    refusal(rules, SyscallRules.ENOSYS).add("clone3");
    clone(rules);
    for (int request : SyscallRules.TERMINAL_INPUT) {
      refusal(rules, SyscallRules.EPERM, argument(1, "SCMP_CMP_MASKED_EQ", LOW_WORD, request))
          .add("ioctl");
    }
    socket(rules);
    ObjectNode profile = JSON.objectNode().put("defaultAction", "SCMP_ACT_ALLOW");
    profile.set("syscalls", rules);
    return profile.toString();
  }

  /** One rule per flag: a comparison can't ask for any of several bits. */
  private static void clone(ArrayNode rules) {
    for (int bit = 0; bit < Integer.SIZE; bit++) {
      int flag = 1 << bit;
      if ((SyscallRules.NEW_NAMESPACES & flag) != 0) {
        refusal(rules, SyscallRules.EPERM, argument(0, "SCMP_CMP_MASKED_EQ", flag, flag))
            .add("clone");
      }
    }
  }

  /** Rules that all forbid: the families between those allowed one by one, then all above. */
  private static void socket(ArrayNode rules) {
    for (int family = 0; family < SyscallRules.NETLINK_FAMILY; family++) {
      if (!SyscallRules.SOCKET_FAMILIES.contains(family)) {
        refuseSocket(rules, argument(0, "SCMP_CMP_EQ", family, 0));
      }
    }
    refuseSocket(rules, argument(0, "SCMP_CMP_GT", SyscallRules.NETLINK_FAMILY, 0));
    refuseSocket(
        rules,
        argument(0, "SCMP_CMP_EQ", SyscallRules.NETLINK_FAMILY, 0),
        argument(2, "SCMP_CMP_NE", 0, 0));
  }

  private static void refuseSocket(ArrayNode rules, ObjectNode... arguments) {
    refusal(rules, SyscallRules.EAFNOSUPPORT, arguments).add("socket");
  }

  /** Adds a rule; the names of the calls it is about go into what is returned. */
  private static ArrayNode refusal(ArrayNode rules, int error, ObjectNode... arguments) {
    ObjectNode rule = rules.addObject();
    rule.put("action", "SCMP_ACT_ERRNO").put("errnoRet", error);
    rule.putArray("args").addAll(List.of(arguments));
    return rule.putArray("names");
  }

  private static ObjectNode argument(int index, String operation, long value, long valueTwo) {
    return JSON.objectNode()
        .put("index", index)
        .put("op", operation)
        .put("value", value)
        .put("valueTwo", valueTwo);
  }
}
