package dev.stepwell.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stepwell.cli.process.CommandException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A form of an image that there is, as {@code images/list} tells; immutable.
 *
 * @param name the image
 * @param form the backend that it is for; empty for an image of which there is the recipe alone
 * @param bytes its size
 * @param made when it was made, in seconds since 1970
 * @param recipe {@code current}, {@code outdated}, {@code imported} or {@code unknown}; empty
 *     without a form
 * @param place the image's reference, the folder or the file
 */
record ImageForm(String name, String form, long bytes, long made, String recipe, String place) {
  private static final int FIELDS = 6;
  private static final String NONE = "-";
  private static final long BYTES_PER_MB = 1_000_000;
  private static final String ROW = "%-20s %-10s %8s  %-16s %-8s %s";
  private static final DateTimeFormatter MINUTES =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());

  /**
   * Reads a line of the script's.
   *
   * @throws CommandException if it is none
   */
  static ImageForm parse(String line) {
    String[] fields = line.split("\t", FIELDS);
    try {
      return new ImageForm(
          fields[0],
          said(fields[1]),
          Long.parseLong(fields[2]),
          Long.parseLong(fields[3]),
          said(fields[4]),
          fields[5]);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new CommandException("images/list says \"" + line + "\", which is no form", e);
    }
  }

  private static String said(String field) {
    return field.equals(NONE) ? "" : field;
  }

  /** For people: a line for each form, under a heading. */
  static List<String> table(List<ImageForm> forms) {
    List<String> lines = new ArrayList<>();
    lines.add(ROW.formatted("NAME", "BACKEND", "SIZE", "MADE", "RECIPE", "IS"));
    forms.forEach(each -> lines.add(each.row()));
    return lines;
  }

  private String row() {
    if (form.isEmpty()) {
      return ROW.formatted(name, NONE, NONE, NONE, NONE, place);
    }
    String size = (bytes + BYTES_PER_MB / 2) / BYTES_PER_MB + " MB";
    return ROW.formatted(
        name, form, size, MINUTES.format(Instant.ofEpochSecond(made)), recipe, place);
  }

  /** For programs: an object for each image, with its forms by backend. */
  static List<String> jsonLines(List<ImageForm> forms) {
    Map<String, ObjectNode> images = new LinkedHashMap<>();
    for (ImageForm each : forms) {
      ObjectNode image =
          images.computeIfAbsent(
              each.name,
              name -> {
                ObjectNode made = Json.object().put("name", name);
                made.putObject("forms");
                return made;
              });
      if (!each.form.isEmpty()) {
        image
            .withObject("/forms")
            .putObject(each.form)
            .put("place", each.place)
            .put("bytes", each.bytes)
            .put("made", Instant.ofEpochSecond(each.made).toString())
            .put("recipe", each.recipe);
      }
    }
    return images.values().stream().map(ObjectNode::toString).toList();
  }
}
