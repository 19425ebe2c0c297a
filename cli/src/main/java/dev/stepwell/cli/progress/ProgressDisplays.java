package dev.stepwell.cli.progress;

import dev.stepwell.cli.process.Terminal;
import java.io.PrintWriter;
import java.util.OptionalLong;

/** Opens displays of progress: a bar on a terminal, else a line every five seconds. */
public final class ProgressDisplays {
  private ProgressDisplays() {}

  /**
   * A display of something that is counted without a name.
   *
   * @param title what it is, such as {@code replay}: begins each line
   * @param total how many there are; empty where nobody knows: then {@link Progress#part} says how
   *     much of the whole is done
   * @param err takes the lines where there is no terminal; on a terminal the bar is on standard
   *     error
   */
  public static Progress open(String title, OptionalLong total, PrintWriter err) {
    return open(title, "", total, err);
  }

  /**
   * A display.
   *
   * @param unit what is counted, in the plural, such as {@code tasks}
   */
  public static Progress open(String title, String unit, OptionalLong total, PrintWriter err) {
    View view =
        Terminal.present()
            ? new BarView(title, System.err)
            : new LinesView(title, unit, err, System::nanoTime);
    return Display.start(total, view, System::nanoTime);
  }
}
