package dev.stepwell.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class RoomTest {
  @Test
  void count_isBounded() throws Exception {
    Room room = new Room(2, 100);
    room.enter(1);
    room.enter(1);
    CompletableFuture<Void> third = entering(room, 1);
    assertThat(third).isNotDone();
    room.leave(1);
    Awaitility.await().until(third::isDone);
    assertThat(room.count()).isEqualTo(2);
  }

  @Test
  void bytes_areBounded_butALargeOneGoesAlone() throws Exception {
    Room room = new Room(10, 100);
    room.enter(500);
    CompletableFuture<Void> small = entering(room, 1);
    assertThat(small).isNotDone();
    room.leave(500);
    Awaitility.await().until(small::isDone);
  }

  /** Enters on another thread, which waits by the time this returns, or has entered. */
  private static CompletableFuture<Void> entering(Room room, long bytes) {
    CompletableFuture<Void> entered = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                room.enter(bytes);
                entered.complete(null);
              } catch (InterruptedException e) {
                entered.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    Awaitility.await().until(() -> entered.isDone() || thread.getState() == Thread.State.WAITING);
    return entered;
  }
}
