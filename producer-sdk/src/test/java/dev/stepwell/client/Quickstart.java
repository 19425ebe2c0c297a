package dev.stepwell.client;

import java.util.function.Consumer;

/** The README's first example, word for word between the braces of the method. */
final class Quickstart {
  private Quickstart() {}

  static void run(String bootstrap, Consumer<String> out) {
    try (Stepwell stepwell = Stepwell.connect(bootstrap)) {
      Session session = stepwell.newSession();
      session.run("x = 41");
      out.accept(Results.orThrow(session.run("print(x + 1)")).stdout());
    }
  }
}
