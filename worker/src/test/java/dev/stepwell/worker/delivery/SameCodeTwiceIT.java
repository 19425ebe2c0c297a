package dev.stepwell.worker.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stepwell.protocol.ExecutionRequest;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.RequestLimits;
import dev.stepwell.protocol.StepKind;
import dev.stepwell.worker.Worker;
import dev.stepwell.worker.archive.RetainedSnapshot;
import dev.stepwell.worker.archive.SnapshotArchive;
import dev.stepwell.worker.archive.StateContents;
import dev.stepwell.worker.config.WorkerConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What two runs of the same code leave: its digests are the same wherever a program can't tell the
 * two apart, so that replays aren't full of differences that are none. Random numbers that nobody
 * has seeded vary, of course.
 */
@Timeout(300)
class SameCodeTwiceIT extends DeliveryFixture {
  /** By what it is about: the steps of a session. */
  private static final Map<String, List<String>> SESSIONS =
      Map.ofEntries(
          Map.entry("plain", List.of("n = 1; s = 'text'; f = 1.5; b = b'x'", "n += 1; t = s")),
          Map.entry(
              "containers",
              List.of(
                  "d = {i: str(i) for i in range(100)}; l = list(d.values()); e = [l, d]",
                  "l.append('x'); d['k'] = {'a': [1]}")),
          Map.entry(
              "sets",
              List.of(
                  "s = {'a', 'b', 'c', 'd', 'e'}; g = frozenset(s | {'f'}); h = {'k': s}",
                  "s.add('z'); m = [set('hello'), {(1, 'a'), (2, 'b')}]")),
          Map.entry(
              "functions",
              List.of(
                  "import math\ndef f(x, y=[1]):\n    return g(x) + math.pi\n",
                  """
                  def g(x): return x
                  h = lambda: f(1)
                  def outer():
                      c = 0
                      def inner():
                          nonlocal c
                          c += 1
                          return c
                      return inner
                  k = outer()""",
                  "k(); k(); r = f(2)")),
          Map.entry(
              "classes",
              List.of(
                  """
                  from dataclasses import dataclass
                  import enum
                  @dataclass
                  class P:
                      x: int = 0
                  class E(enum.Enum):
                      A = 1
                  class Q(P):
                      def m(self): return self.x
                  p = P(1); q = Q(2); e = E.A""",
                  "q.x = p; P.z = 5; both = [p, q]")),
          Map.entry(
              "files",
              List.of(
                  "import os, json\nos.mkdir('d'); json.dump([1, 2], open('d/a.json', 'w'))",
                  "open('b.txt', 'w').write('x' * 600_000); os.symlink('b.txt', 'l')",
                  "os.remove('d/a.json'); os.chmod('b.txt', 0o600)")),
          Map.entry(
              "random",
              List.of(
                  "import random\nrandom.seed(5); a = [random.random() for _ in range(5)]",
                  "b = random.random()")),
          Map.entry(
              "libraries",
              List.of(
                  """
                  import re, datetime, decimal, collections, itertools
                  p = re.compile('a+'); d = datetime.date(2020, 1, 1)
                  decimal.getcontext().prec = 10; c = collections.Counter('hello')
                  dq = collections.deque([1]); dd = collections.defaultdict(list, a=[1])""",
                  "dd['b'].append(2); m = p.match('aab').group(); it = itertools.count(3)")),
          Map.entry(
              "failures",
              List.of(
                  "try:\n    1 / 0\nexcept ZeroDivisionError as caught:\n    e = caught\nn = 1",
                  "n = 2\nraise ValueError('x')",
                  "n += 1; gen = (i for i in range(5)); next(gen)")),
          Map.entry(
              "settings",
              List.of(
                  """
                  import os, sys, warnings, logging
                  os.environ['A'] = '1'; os.mkdir('w')
                  os.chdir('w'); warnings.simplefilter('ignore')
                  logging.getLogger('x').setLevel(10); sys.path.append('/x')""",
                  "x = os.environ['A']")));

  private static final List<String> SCIENCE =
      List.of(
          """
          import numpy as np, pandas as pd
          rng = np.random.default_rng(3)
          a = rng.normal(size=(300, 400)); small = np.arange(10)
          df = pd.DataFrame({'x': np.arange(5000), 'y': ['a', 'b'] * 2500})
          np.random.seed(1); r = np.random.rand(3)
          """,
          "df['z'] = df.x * 2; a[5, 5] = 0; g = df.groupby('y').z.sum()",
          """
          from sklearn.linear_model import LinearRegression
          import matplotlib.pyplot as plt
          model = LinearRegression().fit(df[['x']], df.z)
          fig, ax = plt.subplots(); ax.plot([1, 2])
          view = a[:10]; parts = {'a': a, 'df': df}
          """,
          "score = model.score(df[['x']], df.z); small += 1");

  private SnapshotArchive archive;

  private void play(String session, List<String> sources, String profile) {
    for (String source : sources) {
      ExecutionResult result =
          publisher()
              .run(
                  new ExecutionRequest(
                      UUID.randomUUID().toString(),
                      session,
                      StepKind.PYTHON,
                      source,
                      List.of(),
                      null,
                      profile,
                      RequestLimits.DEFAULTS,
                      Map.of(),
                      null,
                      null));
      assertThat(result.outcome()).as(result.toString()).isIn(Outcome.COMPLETED, Outcome.FAILED);
      assertThat(result.state().saved()).as(result.toString()).isTrue();
    }
  }

  private List<StateContents> contents(List<RetainedSnapshot> retained) throws Exception {
    List<StateContents> found = new ArrayList<>();
    for (RetainedSnapshot each : retained) {
      found.add(
          SnapshotArchive.contents(
              archive.read(each.reference()), archive.pieces(each.reference())));
    }
    return found;
  }

  /** What differs after any step, for people. */
  private Set<String> differences(String session) throws Exception {
    Map<String, List<RetainedSnapshot>> retained =
        archive.retained(Set.of(session + "-1", session + "-2"));
    List<StateContents> one = contents(retained.get(session + "-1"));
    List<StateContents> other = contents(retained.get(session + "-2"));
    assertThat(one).hasSameSizeAs(other);
    Set<String> found = new TreeSet<>();
    for (int i = 0; i < one.size(); i++) {
      String step = session + ", step " + (i + 1) + ": ";
      note(step, one.get(i).variables(), other.get(i).variables(), found);
      note(step + "file ", one.get(i).files(), other.get(i).files(), found);
      note(step + "setting ", one.get(i).settings(), other.get(i).settings(), found);
    }
    return found;
  }

  private static void note(
      String kind,
      Map<String, StateContents.Item> one,
      Map<String, StateContents.Item> other,
      Set<String> into) {
    Set<String> names = new TreeSet<>(one.keySet());
    names.addAll(other.keySet());
    for (String name : names) {
      if (!Objects.equals(one.get(name), other.get(name))) {
        into.add(kind + name + ": " + one.get(name) + " / " + other.get(name));
      }
    }
  }

  @Test
  void sessionsOfTheSameCode_leaveTheSame() throws Exception {
    try (Worker worker = worker();
        SnapshotArchive opened = SnapshotArchive.open(WorkerConfig.of(settings()))) {
      assertThat(worker).isNotNull();
      archive = opened;
      Set<String> found = new TreeSet<>();
      for (Map.Entry<String, List<String>> session : SESSIONS.entrySet()) {
        play(session.getKey() + "-1", session.getValue(), null);
        play(session.getKey() + "-2", session.getValue(), null);
        found.addAll(differences(session.getKey()));
      }
      assertThat(found).isEmpty();
    }
  }

  @Test
  void sessionsOfTheSameCodeWithArraysAndFrames_leaveTheSame() throws Exception {
    String root = System.getenv("STEPWELL_TEST_DATA_ROOT");
    assumeTrue(root != null, "skipped: STEPWELL_TEST_DATA_ROOT names no root folder");
    try (Worker worker = worker("profile.data.root.folder", root);
        SnapshotArchive opened = SnapshotArchive.open(WorkerConfig.of(settings()))) {
      assertThat(worker).isNotNull();
      archive = opened;
      play("science-1", SCIENCE, "data");
      play("science-2", SCIENCE, "data");
      assertThat(differences("science")).isEmpty();
    }
  }
}
