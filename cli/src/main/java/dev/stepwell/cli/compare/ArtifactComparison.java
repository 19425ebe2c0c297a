package dev.stepwell.cli.compare;

import dev.stepwell.protocol.Artifact;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares the files that a request asked for. Stateless. */
final class ArtifactComparison {
  private static final Difference.Type TYPE = Difference.Type.ARTIFACT;

  private ArtifactComparison() {}

  static void compare(List<Artifact> recorded, List<Artifact> replayed, Findings findings) {
    if (findings.rules().ignores(Part.ARTIFACT)) {
      return;
    }
    Map<String, Artifact> before = byPath(recorded);
    Map<String, Artifact> now = byPath(replayed);
    Set<String> paths = new LinkedHashSet<>(before.keySet());
    paths.addAll(now.keySet());
    for (String path : paths) {
      if (!findings.rules().ignoresArtifact(path)) {
        compare(path, before.get(path), now.get(path), findings);
      }
    }
  }

  private static Map<String, Artifact> byPath(List<Artifact> artifacts) {
    Map<String, Artifact> found = new LinkedHashMap<>();
    artifacts.forEach(each -> found.put(each.path(), each));
    return found;
  }

  private static void compare(
      String path, @Nullable Artifact before, @Nullable Artifact now, Findings findings) {
    if (before == null || now == null || before.problem() != now.problem()) {
      findings.add(TYPE, path, shown(before), shown(now));
      return;
    }
    findings.exact(TYPE, path + ", mode", mode(before), mode(now));
    String text = Contents.text(before.content());
    String textNow = Contents.text(now.content());
    if (text != null && textNow != null) {
      findings.texts(TYPE, path, Part.ARTIFACT, text, textNow);
    } else if (before.bytes() != now.bytes() || contentDiffers(before, now)) {
      findings.add(TYPE, path, shown(before), shown(now));
    }
  }

  private static boolean contentDiffers(Artifact before, Artifact now) {
    if (before.sha256() != null && now.sha256() != null) {
      return !before.sha256().equals(now.sha256());
    }
    return before.content() != null
        && now.content() != null
        && !before.content().equals(now.content());
  }

  private static String mode(Artifact artifact) {
    return "%04o".formatted(artifact.mode());
  }

  private static @Nullable String shown(@Nullable Artifact artifact) {
    if (artifact == null) {
      return null;
    }
    if (artifact.problem() != null) {
      return artifact.problem().name();
    }
    String text = Contents.text(artifact.content());
    if (text != null) {
      return text;
    }
    return artifact.sha256() == null
        ? artifact.bytes() + " bytes"
        : "%d bytes, sha256 %s".formatted(artifact.bytes(), Contents.shortened(artifact.sha256()));
  }
}
