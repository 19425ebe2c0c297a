package dev.stepwell.protocol.codec;

import dev.stepwell.protocol.Artifact;
import dev.stepwell.protocol.Bytes;
import dev.stepwell.protocol.FileInput;
import dev.stepwell.protocol.WorkspaceEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Makes workspace files for random messages; owned by the test's thread. */
final class RandomFiles {
  private final RandomMessages messages;
  private final SplittableRandom random;

  RandomFiles(RandomMessages messages, SplittableRandom random) {
    this.messages = messages;
    this.random = random;
  }

  /** Up to four files beyond the least number, in folders of their own so that none collide. */
  List<FileInput> inputs(int least) {
    List<FileInput> inputs = new ArrayList<>();
    for (int i = least + random.nextInt(5); i > 0; i--) {
      inputs.add(
          new FileInput(i + "/" + path(), content(), messages.maybe(() -> random.nextInt(512))));
    }
    return inputs;
  }

  String path() {
    StringBuilder path = new StringBuilder("p");
    for (int i = random.nextInt(4); i > 0; i--) {
      path.append(messages.text().replace("\0", "").replace("/", "")).append("/q");
    }
    return path.toString();
  }

  Bytes content() {
    byte[] content = new byte[random.nextInt(100)];
    random.nextBytes(content);
    return Bytes.of(content);
  }

  WorkspaceEntry entry() {
    return new WorkspaceEntry(
        path(),
        messages.pick(WorkspaceEntry.Kind.values()),
        random.nextInt(512),
        messages.count(),
        random.nextLong(),
        messages.maybe(messages::sha256),
        messages.maybe(messages::text));
  }

  Artifact artifact() {
    return random.nextBoolean()
        ? Artifact.missing(path(), messages.pick(Artifact.Problem.values()), messages.text())
        : new Artifact(
            path(),
            messages.count(),
            messages.maybe(messages::sha256),
            random.nextInt(512),
            messages.maybe(this::content),
            null,
            null);
  }
}
