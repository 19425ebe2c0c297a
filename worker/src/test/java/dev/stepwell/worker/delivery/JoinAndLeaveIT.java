package dev.stepwell.worker.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers that come and go in good order while requests come without end. */
@Timeout(300)
class JoinAndLeaveIT extends DeliveryFixture {
  private static final int SESSIONS_OF_A_PARTITION = 2;

  /** The requests of each session, in order. */
  private final Map<String, List<String>> steps = new LinkedHashMap<>();

  private final List<String> oneShots = new ArrayList<>();
  private final Map<String, WorkerJvm> workers = new HashMap<>();

  /** Every partition has sessions, so every worker with a partition has some to answer. */
  @BeforeEach
  void nameSessions() {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      int wanted = partition;
      Stream.generate(() -> UUID.randomUUID().toString())
          .filter(session -> partition(session) == wanted)
          .limit(SESSIONS_OF_A_PARTITION)
          .forEach(session -> steps.put(session, new ArrayList<>()));
    }
  }

  @Test
  void nothingIsLostDoubledOrBegunTwice_whileWorkersJoinAndLeave() throws Exception {
    try {
      join("a");
      underLoad();
      for (String id : List.of("b", "c")) {
        join(id);
        untilItTakesPart(id);
      }
      leave("a");
      leave("b");
      underLoad();
      assertEveryAnswer();
    } finally {
      for (WorkerJvm worker : workers.values()) {
        worker.close();
      }
    }
  }

  private void assertEveryAnswer() {
    Set<String> answering = new HashSet<>();
    steps.forEach(
        (session, ids) -> {
          for (int i = 0; i < ids.size(); i++) {
            ExecutionResult result = answer(ids.get(i));
            answering.add(result.workerId());
            assertThat(result.value().text()).as(session).isEqualTo("" + (i + 1));
          }
        });
    oneShots.forEach(id -> assertThat(answer(id).stdout()).isEqualTo("here\n"));
    assertThat(answering).containsExactlyInAnyOrder("a", "b", "c");
    steps.values().stream()
        .flatMap(List::stream)
        .forEach(id -> assertThat(publisher().all(id)).hasSize(1));
    oneShots.forEach(id -> assertThat(publisher().all(id)).hasSize(1));
  }

  /** A worker that leaves in good order finishes what it runs, so nothing is begun twice. */
  private ExecutionResult answer(String id) {
    ExecutionResult result = publisher().await(id);
    assertThat(result.outcome()).as("%s", result).isEqualTo(Outcome.COMPLETED);
    assertThat(result.attempt()).as("%s", result).isEqualTo(1);
    return result;
  }

  private void join(String id) throws IOException {
    workers.put(id, WorkerJvm.start(settings("worker.id", id)));
  }

  /** Returns while requests are still on their way. */
  private void leave(String id) throws Exception {
    publish();
    WorkerJvm worker = workers.remove(id);
    worker.signal("TERM");
    publish();
    worker.close();
  }

  private void underLoad() {
    int answered = publisher().answered();
    publish();
    Waiting.until("requests are answered", () -> publisher().answered() >= answered + steps.size());
  }

  private void untilItTakesPart(String id) {
    Waiting.until(
        id + " answers",
        () -> {
          publish();
          steps.values().forEach(ids -> publisher().await(ids.get(ids.size() - 1)));
          return steps.values().stream()
              .anyMatch(
                  ids ->
                      ids.stream()
                          .flatMap(each -> publisher().seen(each).stream())
                          .anyMatch(result -> result.workerId().equals(id)));
        });
  }

  private void publish() {
    steps.forEach(
        (session, ids) -> {
          ids.add(
              publisher().publish(Publisher.python(session, "n = globals().get('n', 0) + 1\nn")));
          oneShots.add(publisher().publish(Publisher.python(null, "print('here')")));
        });
  }
}
