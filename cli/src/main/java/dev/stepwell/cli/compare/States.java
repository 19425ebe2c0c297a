package dev.stepwell.cli.compare;

import dev.stepwell.protocol.ExecutionResult;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks up what the two states after a step hold; may block. Used where their ids differ. */
public interface States {
  /** Tells nothing about any state. */
  States UNKNOWN =
      new States() {
        @Override
        public @Nullable Contents recorded(String snapshotId) {
          return null;
        }

        @Override
        public @Nullable Contents replayed(ExecutionResult result) {
          return null;
        }
      };

  /** What the recorded snapshot of that id holds; null where that isn't known. */
  @Nullable Contents recorded(String snapshotId);

  /** What the session of a replayed result held after it; null where that isn't known. */
  @Nullable Contents replayed(ExecutionResult result);

  /**
   * What is in a state; immutable.
   *
   * @param variables by name
   * @param files by path
   * @param settings what else belongs to a session, by name: {@code random}, {@code environment}
   */
  record Contents(
      Map<String, Item> variables, Map<String, Item> files, Map<String, Item> settings) {
    public Contents {
      variables = Map.copyOf(variables);
      files = Map.copyOf(files);
      settings = Map.copyOf(settings);
    }
  }

  /**
   * One thing in a state; immutable.
   *
   * @param digest the same for the same content: 64 hexadecimal digits
   * @param text what it is, for people: {@code 3}, {@code 812 bytes}, {@code file, 120 bytes, 0644}
   */
  record Item(String digest, String text) {}
}
