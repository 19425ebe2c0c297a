package dev.stepwell.cli.replay;

import dev.stepwell.protocol.SessionRequest;
import org.jspecify.annotations.Nullable;

/** What a request starts from, as far as that is known; immutable. */
sealed interface Origin {
  /** The request's lane has to wait; whoever asked is told when to ask again. */
  Origin AWAITED = new Awaited();

  /**
   * The request can be published.
   *
   * @param base the reference to start from, in this installation; null for none
   */
  record Known(@Nullable String base) implements Origin {}

  /**
   * The request can't be published.
   *
   * @param reason what is missing
   */
  record Missing(String reason) implements Origin {}

  /**
   * The request's session must be begun first.
   *
   * @param session its recorded id
   * @param fork the request to send for it
   */
  record Unbegun(String session, SessionRequest fork) implements Origin {}

  /** See {@link #AWAITED}. */
  record Awaited() implements Origin {}
}
