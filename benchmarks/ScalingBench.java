import dev.stepwell.broker.BrokerProcess;
import dev.stepwell.cli.local.TopicCreation;
import dev.stepwell.client.Step;
import dev.stepwell.client.Stepwell;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.DoubleStream;

/**
 * What a worker more is worth, and how soon: workers as processes of their own join and leave while
 * one-shots that sleep come without end. Run by benchmarks/scaling, which also compares what is
 * printed here with the simulation.
 *
 * <p>Prints one JSON object a line. "ratio": the rate of three workers against that of one, in
 * turns. "join": seconds from a worker's start until its first answer, and until the rate is what
 * three workers make. "open": arrivals at random moments, and what came of them.
 */
public final class ScalingBench {
  private static final int PARTITIONS = 12;
  private static final int ROUNDS = Integer.getInteger("rounds", 3);
  private static final int WINDOW_S = Integer.getInteger("window", 12);
  private static final int SLEEP_MS = Integer.getInteger("sleep", 50);
  private static final int SLOTS = Integer.getInteger("slots", 1);
  private static final int BACKLOG = 200;
  private static final int WARM_UP_S = 20;

  /** Whether sandboxes are fake: then it is the workers that are measured, and not the cores. */
  private static final boolean FAKE = Boolean.getBoolean("fake");

  /** Sandboxes that a worker has waiting for each slot. */
  private static final int READY = FAKE ? 8 : 2;

  /** What Linux counts processor time in, on every machine that Java runs on. */
  private static final int TICKS_PER_SECOND = 100;
  private static final Step SLEEPER =
      Step.python("import time; time.sleep(%s)".formatted(SLEEP_MS / 1000.0));

  private final Path home = Path.of(System.getProperty("stepwell.home"));
  private final Path folder;
  private final String bootstrap;
  private final Deque<Started> workers = new ArrayDeque<>();
  private final ConcurrentLinkedQueue<Answered> answers = new ConcurrentLinkedQueue<>();
  private final AtomicInteger failures = new AtomicInteger();
  private int count;

  private final long brokerPid;

  private ScalingBench(Path folder, BrokerProcess broker) {
    this.folder = folder;
    this.bootstrap = broker.bootstrap();
    this.brokerPid = broker.pid();
  }

  public static void main(String[] arguments) throws Exception {
    Path home = Path.of(System.getProperty("stepwell.home"));
    Path folder = Files.createTempDirectory("stepwell-scaling-");
    try (BrokerProcess broker =
        BrokerProcess.start(
            home.resolve("broker/target/dist/lib"), 0, null, Duration.ofMinutes(1))) {
      new TopicCreation(Topics.DEFAULT, PARTITIONS, (short) 1).create(broker.bootstrap());
      ScalingBench bench = new ScalingBench(folder, broker);
      try {
        bench.run();
      } finally {
        bench.leave(0);
      }
    }
  }

  private void run() throws Exception {
    try (Stepwell client =
        Stepwell.builder(bootstrap).clientId("scaling").maxInFlight(20_000).connect()) {
      closed(client);
      for (int each : new int[] {1, 2, 4}) {
        open(client, each);
      }
    }
    if (failures.get() > 0) {
      throw new IllegalStateException(failures + " steps went wrong");
    }
  }

  /** Always as many requests on their way: the rate is what the workers can do. */
  private void closed(Stepwell client) throws Exception {
    Semaphore places = new Semaphore(BACKLOG);
    Thread load =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                try {
                  places.acquire();
                } catch (InterruptedException e) {
                  return;
                }
                send(client, places::release);
              }
            });
    load.setDaemon(true);
    join(1);
    load.start();
    awaitAnswers(20);
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      double one = rate();
      long start = System.nanoTime();
      List<String> added = join(3);
      double firstS = awaitAnswerOf(added, start);
      settle();
      double three = rate();
      ratios.add(three / one);
      print(
          "{\"what\": \"ratio\", \"one\": %.2f, \"three\": %.2f, \"ratio\": %.3f, \"joinedS\": %.2f}",
          one, three, three / one, firstS);
      leave(1);
      settle();
    }
    load.interrupt();
    load.join();
    places.acquire(BACKLOG);
    Collections.sort(ratios);
    print(
        "{\"what\": \"ratios\", \"median\": %.3f, \"least\": %.3f}",
        ratios.get(ratios.size() / 2), ratios.get(0));
  }

  /**
   * Requests at random moments, at six tenths of what the workers' slots could take at best. What is
   * counted begins when the same load has lasted for a while: partitions have moved by then, and
   * virtual machines have compiled what they run.
   */
  private void open(Stepwell client, int workerCount) throws Exception {
    leave(workerCount);
    join(workerCount);
    double perSecond = 0.6 * workerCount * SLOTS * 1000.0 / SLEEP_MS;
    Random random = new Random(7);
    awaitAll(publishFor(WARM_UP_S, perSecond, client, random));
    answers.clear();
    double cpuBeforeMs = cpuMs();
    long startNs = System.nanoTime();
    Sent sent = publishFor(2 * WINDOW_S, perSecond, client, random);
    awaitAll(sent);
    double elapsedS = (System.nanoTime() - startNs) / 1e9;
    int requests = sent.requests();
    double cpuMs = (cpuMs() - cpuBeforeMs) / requests;
    List<Answered> all = List.copyOf(answers);
    print(
        "{\"what\": \"open\", \"workers\": %d, \"slots\": %d, \"ready\": %d, \"sleepMs\": %d,"
            + " \"offered\": %.2f, \"requests\": %d, \"rate\": %.2f, \"queuedP50Ms\": %.1f,"
            + " \"queuedP90Ms\": %.1f, \"queuedP99Ms\": %.1f, \"heldP50Ms\": %.1f,"
            + " \"heldMeanMs\": %.1f, \"cpuMs\": %.2f, \"cores\": %d}",
        workerCount,
        SLOTS,
        READY,
        SLEEP_MS,
        perSecond,
        requests,
        requests / elapsedS,
        quantile(all.stream().mapToDouble(Answered::queuedMs), 0.5),
        quantile(all.stream().mapToDouble(Answered::queuedMs), 0.9),
        quantile(all.stream().mapToDouble(Answered::queuedMs), 0.99),
        quantile(all.stream().mapToDouble(Answered::heldMs), 0.5),
        all.stream().mapToDouble(Answered::heldMs).average().orElse(0),
        cpuMs,
        Runtime.getRuntime().availableProcessors());
  }

  private Sent publishFor(int seconds, double perSecond, Stepwell client, Random random)
      throws InterruptedException {
    Semaphore answered = new Semaphore(0);
    int requests = (int) (perSecond * seconds);
    long nextNs = System.nanoTime();
    for (int i = 0; i < requests; i++) {
      nextNs += (long) (-Math.log(1 - random.nextDouble()) / perSecond * 1e9);
      long waitNs = nextNs - System.nanoTime();
      if (waitNs > 0) {
        TimeUnit.NANOSECONDS.sleep(waitNs);
      }
      send(client, answered::release);
    }
    return new Sent(requests, answered);
  }

  private static void awaitAll(Sent sent) throws InterruptedException {
    sent.answered().acquire(sent.requests());
  }

  /** Processor time of everything that takes part: workers with their sandboxes, broker, client. */
  private double cpuMs() throws IOException {
    double ticks = ticks(brokerPid) + ticks(ProcessHandle.current().pid());
    for (Started each : workers) {
      ticks += ticks(each.process().pid());
    }
    return ticks * 1000 / TICKS_PER_SECOND;
  }

  /** Its own and that of the children that it waited for. */
  private static double ticks(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    double sum = 0;
    for (int i = 11; i <= 14; i++) {
      sum += Double.parseDouble(fields[i]);
    }
    return sum;
  }

  private void send(Stepwell client, Runnable then) {
    client
        .submit(SLEEPER)
        .future()
        .whenComplete(
            (result, failure) -> {
              if (failure != null || result.outcome() != Outcome.COMPLETED) {
                failures.incrementAndGet();
              } else {
                answers.add(Answered.of(result));
              }
              then.run();
            });
  }

  private double rate() throws InterruptedException {
    answers.clear();
    long start = System.nanoTime();
    TimeUnit.SECONDS.sleep(WINDOW_S);
    return answers.size() / ((System.nanoTime() - start) / 1e9);
  }

  private void settle() throws InterruptedException {
    TimeUnit.SECONDS.sleep(5);
  }

  private void awaitAnswers(int wanted) throws InterruptedException {
    while (answers.size() < wanted) {
      if (workers.stream().anyMatch(each -> !each.process().isAlive())) {
        throw new IllegalStateException("a worker has ended; see its log in " + folder);
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** Seconds until each of these workers has answered something. */
  private double awaitAnswerOf(List<String> ids, long startNs) throws InterruptedException {
    while (!ids.stream()
        .allMatch(id -> answers.stream().anyMatch(each -> each.workerId().equals(id)))) {
      if (System.nanoTime() - startNs > 60e9) {
        throw new IllegalStateException("a worker was not felt within a minute");
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return (System.nanoTime() - startNs) / 1e9;
  }

  private List<String> join(int wanted) throws IOException {
    List<String> ids = new ArrayList<>();
    while (workers.size() < wanted) {
      String id = "w" + count++;
      ids.add(id);
      Path config =
          Files.writeString(
              folder.resolve(id + ".properties"),
              """
              bootstrap.servers=%s
              worker.id=%s
              %s
              slots=%d
              scratch.folder=%s
              """
                  .formatted(
                      bootstrap,
                      id,
                      "profile.plain.pool.min=" + READY * SLOTS + (FAKE ? "" : "\nbackend=bubblewrap"),
                      SLOTS,
                      Files.createDirectories(folder.resolve(id))));
      workers.add(
          new Started(
              new ProcessBuilder(command(config))
                  .redirectErrorStream(true)
                  .redirectOutput(folder.resolve(id + ".log").toFile())
                  .start()));
    }
    return ids;
  }

  private List<String> command(Path config) {
    if (!FAKE) {
      return List.of(
          home.resolve("bin/stepwell").toString(), "worker", "--config", config.toString());
    }
    String classes = home.resolve("worker/target/test-classes").toString();
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "@" + home.resolve("cli/src/main/jvm/worker.options"),
        "-cp",
        classes + ":" + System.getProperty("java.class.path"),
        "dev.stepwell.worker.EchoWorker",
        config.toString(),
        Integer.toString(SLEEP_MS));
  }

  private void leave(int remaining) {
    List<Started> leaving = new ArrayList<>();
    while (workers.size() > remaining) {
      leaving.add(workers.removeLast());
    }
    leaving.forEach(each -> each.process().destroy());
    leaving.forEach(each -> each.process().onExit().join());
  }

  private static double quantile(DoubleStream values, double part) {
    double[] sorted = values.sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, part * sorted.length)];
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  private record Started(Process process) {}

  private record Sent(int requests, Semaphore answered) {}

  /** What an answer says: who, how long it waited, and how long it held its slot. */
  private record Answered(String workerId, double queuedMs, double heldMs) {
    static Answered of(ExecutionResult result) {
      var timings = result.timings();
      return new Answered(
          result.workerId(),
          timings.queuedMs(),
          timings.acquiredMs()
              + timings.restoredMs()
              + timings.ranMs()
              + timings.savedMs()
              + timings.committedMs());
    }
  }
}
