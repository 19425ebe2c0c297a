package dev.stepwell.cli.compare;

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
        public @Nullable Contents replayed(String sessionId, long step) {
          return null;
        }
      };

  /** What the recorded snapshot of that id holds; null where that isn't known. */
  @Nullable Contents recorded(String snapshotId);

  /**
   * What a session of the replay holds after a step; null where that isn't known.
   *
   * @param sessionId the session as the replayed result names it
   */
  @Nullable Contents replayed(String sessionId, long step);

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
