package dev.stepwell.cli;

import dev.stepwell.cli.process.CommandException;
import dev.stepwell.cli.record.RecordOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file of secrets, one a line; it is never quoted. */
final class SecretValues {
  private SecretValues() {}

  /**
   * The values; none where there is no file.
   *
   * @throws CommandException if one is too short to be told from anything else
   * @throws IOException if the file can't be read
   */
  static List<String> read(@Nullable Path file) throws IOException {
    List<String> values = new ArrayList<>();
    List<String> lines = file == null ? List.of() : Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      String value = lines.get(i).strip();
      if (!value.isEmpty() && value.length() < RecordOptions.SECRET_CHARACTERS) {
        throw new CommandException(
            "line %d of %s has fewer than %d characters: it would be found everywhere"
                .formatted(i + 1, file, RecordOptions.SECRET_CHARACTERS));
      }
      if (!value.isEmpty()) {
        values.add(value);
      }
    }
    return values;
  }
}
