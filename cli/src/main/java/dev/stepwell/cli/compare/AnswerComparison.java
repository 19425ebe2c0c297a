package dev.stepwell.cli.compare;

import dev.stepwell.protocol.HistoryEntry;
import dev.stepwell.protocol.SessionAnswer;
import dev.stepwell.protocol.WorkspaceEntry;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares what session operations answer, without references, times, and the sizes that states
 * have by the way they are stored. Stateless.
 */
final class AnswerComparison {
  private static final Difference.Type TYPE = Difference.Type.ANSWER;

  private AnswerComparison() {}

  static void compare(
      @Nullable SessionAnswer recorded, @Nullable SessionAnswer replayed, Findings findings) {
    if (findings.rules().ignores(Part.ANSWER)) {
      return;
    }
    if (recorded instanceof SessionAnswer.Located before
        && replayed instanceof SessionAnswer.Located now) {
      findings.exact(TYPE, "step", before.step(), now.step());
    } else if (recorded instanceof SessionAnswer.History before
        && replayed instanceof SessionAnswer.History now) {
      entries(steps(before), steps(now), findings);
      findings.exact(TYPE, "more", before.more(), now.more());
    } else if (recorded instanceof SessionAnswer.Files before
        && replayed instanceof SessionAnswer.Files now) {
      entries(files(before, findings), files(now, findings), findings);
      findings.exact(TYPE, "more", before.more(), now.more());
    } else if (recorded instanceof SessionAnswer.Content before
        && replayed instanceof SessionAnswer.Content now) {
      content(before, now, findings);
    } else if (recorded != replayed) {
      findings.add(TYPE, "answer", kind(recorded), kind(replayed));
    }
  }

  private static @Nullable String kind(@Nullable SessionAnswer answer) {
    return answer == null ? null : answer.getClass().getSimpleName();
  }

  private static Map<String, String> steps(SessionAnswer.History history) {
    Map<String, String> found = new LinkedHashMap<>();
    for (HistoryEntry entry : history.entries()) {
      found.put("step " + entry.step(), entry.outcome().name());
    }
    return found;
  }

  private static Map<String, String> files(SessionAnswer.Files files, Findings findings) {
    Map<String, String> found = new LinkedHashMap<>();
    for (WorkspaceEntry entry : files.entries()) {
      if (!findings.rules().ignoresFile(entry.path())) {
        found.put("file " + entry.path(), shown(entry));
      }
    }
    return found;
  }

  private static void entries(
      Map<String, String> before, Map<String, String> now, Findings findings) {
    Set<String> names = new LinkedHashSet<>(before.keySet());
    names.addAll(now.keySet());
    for (String name : names) {
      findings.exact(TYPE, name, before.get(name), now.get(name));
    }
  }

  private static String shown(WorkspaceEntry entry) {
    StringBuilder shown = new StringBuilder();
    shown.append("%s, %04o, %d bytes".formatted(entry.kind(), entry.mode(), entry.bytes()));
    if (entry.sha256() != null) {
      shown.append(", sha256 ").append(Contents.shortened(entry.sha256()));
    }
    if (entry.target() != null) {
      shown.append(" -> ").append(entry.target());
    }
    return shown.toString();
  }

  private static void content(
      SessionAnswer.Content before, SessionAnswer.Content now, Findings findings) {
    if (findings.rules().ignoresFile(before.entry().path())) {
      return;
    }
    String what = "file " + before.entry().path();
    String text = Contents.text(before.content());
    String textNow = Contents.text(now.content());
    boolean same = before.content().equals(now.content());
    if (text != null && textNow != null) {
      findings.texts(TYPE, what + ", content", Part.ANSWER, text, textNow);
    } else if (!same) {
      findings.add(
          TYPE,
          what + ", content",
          Contents.hashed(before.content().toArray()),
          Contents.hashed(now.content().toArray()));
    }
    findings.exact(TYPE, what + ", offset", before.offset(), now.offset());
    findings.exact(TYPE, what + ", path", before.entry().path(), now.entry().path());
    if (same) {
      // Otherwise size and hash differ because of what has been told, or ignored, above.
      findings.exact(TYPE, what, shown(before.entry()), shown(now.entry()));
    }
  }
}
