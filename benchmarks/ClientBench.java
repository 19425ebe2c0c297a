import dev.stepwell.client.Results;
import dev.stepwell.client.Session;
import dev.stepwell.client.Stepwell;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What the Java client makes of sessions side by side; the counterpart of client_bench.py.
 *
 * <p>Arguments: where Kafka is, how many sessions, how many requests each, and `step` or `look`. A
 * look asks where the session's first state is, which takes no sandbox, so that the client counts.
 */
public final class ClientBench {
  private ClientBench() {}

  public static void main(String[] arguments) throws Exception {
    int sessions = Integer.parseInt(arguments[1]);
    int requests = Integer.parseInt(arguments[2]);
    boolean looks = arguments[3].equals("look");
    ExecutorService threads = Executors.newFixedThreadPool(sessions);
    try (Stepwell client = Stepwell.connect(arguments[0])) {
      List<Session> all = new ArrayList<>();
      for (int i = 0; i < sessions; i++) {
        all.add(client.newSession());
      }
      each(threads, all, session -> List.of(timed(() -> Results.orThrow(session.run("n = 0")))));
      long cpu = cpuNanos();
      long start = System.nanoTime();
      List<Double> latencies =
          each(
              threads,
              all,
              session -> {
                List<Double> times = new ArrayList<>();
                for (int i = 0; i < requests; i++) {
                  times.add(
                      timed(
                          looks
                              ? () -> session.at(1)
                              : () -> Results.orThrow(session.run("n += 1"))));
                }
                return times;
              });
      double seconds = (System.nanoTime() - start) / 1e9;
      double cpuMs = (cpuNanos() - cpu) / 1e6 / latencies.size();
      Collections.sort(latencies);
      System.out.printf(
          Locale.ROOT,
          "%.1f %.2f %.2f %.3f%n",
          latencies.size() / seconds,
          latencies.get(latencies.size() / 2),
          latencies.get(latencies.size() * 99 / 100),
          cpuMs);
    } finally {
      threads.shutdown();
    }
  }

  private interface Work {
    List<Double> on(Session session) throws Exception;
  }

  private static List<Double> each(ExecutorService threads, List<Session> sessions, Work work)
      throws Exception {
    List<Future<List<Double>>> running = new ArrayList<>();
    for (Session session : sessions) {
      running.add(threads.submit(() -> work.on(session)));
    }
    List<Double> latencies = new ArrayList<>();
    for (Future<List<Double>> one : running) {
      latencies.addAll(one.get());
    }
    return latencies;
  }

  private static double timed(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e6;
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean)
            ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
