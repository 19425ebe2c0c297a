package dev.stepwell.worker.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import dev.stepwell.protocol.SessionOperation;
import dev.stepwell.protocol.SessionRequest;
import dev.stepwell.protocol.Topics;
import dev.stepwell.worker.Worker;
import dev.stepwell.worker.archive.ArchiveException;
import dev.stepwell.worker.archive.PieceSupply;
import dev.stepwell.worker.archive.RetainedSnapshot;
import dev.stepwell.worker.archive.SnapshotArchive;
import dev.stepwell.worker.archive.SnapshotCopy;
import dev.stepwell.worker.archive.StateContents;
import dev.stepwell.worker.config.WorkerConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots read from one installation, and restored into the same and into another one. */
@Timeout(300)
class SnapshotArchiveIT extends DeliveryFixture {
  private static final List<String> STEPS =
      List.of(
          """
          import os, zlib
          from pathlib import Path
          data = bytearray(zlib.crc32(str(i).encode()) & 255 for i in range(3 << 20))
          def f(): return n + later
          class C:
              def g(self): return 7
          c = C()
          n = 1
          os.makedirs('d')
          Path('d/f').write_text('1' * 700_000)
          """,
          "later = 5; data[2_000_000] ^= 255",
          "n = 2; Path('d/g').write_text('x')");

  private static final String LOOK =
      "print(zlib.crc32(data), f(), c.g(), n, len(Path('d/f').read_text()), Path('d/g').read_text())";

  @TempDir private Path folder;

  private SnapshotArchive archive(String... namesAndValues) throws ArchiveException {
    return SnapshotArchive.open(WorkerConfig.of(settings(namesAndValues)));
  }

  private ExecutionResult play(String session) {
    ExecutionResult last = null;
    for (String source : STEPS) {
      last = publisher().run(Publisher.python(session, source));
      assertThat(last.outcome()).as(last.toString()).isEqualTo(Outcome.COMPLETED);
    }
    return last;
  }

  private static Map<String, byte[]> pieces(SnapshotArchive archive, String reference)
      throws Exception {
    Map<String, byte[]> found = new HashMap<>();
    archive.pieces(reference, any -> true, found::put);
    return found;
  }

  private static void fork(Publisher publisher, String session, String reference) {
    SessionRequest fork =
        new SessionRequest(
            UUID.randomUUID().toString(),
            session,
            new SessionOperation.Fork(reference, false),
            null,
            null);
    publisher.publish(fork);
    ExecutionResult forked = publisher.await(fork.requestId());
    assertThat(forked.outcome()).as(forked.toString()).isEqualTo(Outcome.COMPLETED);
    assertThat(forked.step()).isEqualTo(3);
  }

  @Test
  void restored_intoTheSameAndIntoAnotherInstallation_theSessionGoesOnAsItWould() throws Exception {
    Topics other = new Topics(topics.prefix() + "-other");
    TestKafka.createTopics(other, PARTITIONS);
    String[] others = {"topic.prefix", other.prefix(), "group.id", other.prefix()};
    try (Worker worker = worker();
        Worker otherWorker = worker(others);
        Publisher otherPublisher = new Publisher(other, PARTITIONS);
        SnapshotArchive archive = archive();
        SnapshotArchive otherArchive = archive(others)) {
      assertThat(worker).isNotSameAs(otherWorker);
      ExecutionResult last = play("s");
      List<RetainedSnapshot> retained = archive.retained(Set.of("s", "none")).get("s");
      assertThat(retained).extracting(RetainedSnapshot::step).containsExactly(1L, 2L, 3L);
      RetainedSnapshot newest = retained.get(2);
      assertThat(newest.id()).isEqualTo(last.state().snapshot());
      assertThat(newest.requestId()).isEqualTo(last.requestId());
      assertThat(archive.at(newest.reference())).isEqualTo(newest);
      SnapshotCopy copy = archive.read(newest.reference());
      Map<String, byte[]> pieces = pieces(archive, newest.reference());
      assertThat(pieces.keySet()).containsExactlyInAnyOrderElementsOf(copy.pieces());

      String here = archive.restore(copy, pieces::get);
      String there = otherArchive.restore(copy, pieces::get);

      assertThat(archive.at(here).id()).isEqualTo(copy.id());
      assertThat(otherArchive.at(there).id()).isEqualTo(copy.id());
      assertThat(otherArchive.read(there).description()).isEqualTo(copy.description());
      fork(publisher(), "here", here);
      fork(otherPublisher, "there", there);
      String live = publisher().run(Publisher.python("s", LOOK)).stdout();
      assertThat(live).endsWith(" 7 7 2 700000 x\n");
      assertThat(publisher().run(Publisher.python("here", LOOK)).stdout()).isEqualTo(live);
      ExecutionResult seen = otherPublisher.run(Publisher.python("there", LOOK));
      assertThat(seen.stdout()).isEqualTo(live);
      assertThat(seen.step()).isEqualTo(4);
    }
  }

  @Test
  void endedSession_isStillFound_andSoIsAnotherOneOfItsName() throws Exception {
    try (Worker worker = worker();
        SnapshotArchive archive = archive()) {
      assertThat(worker).isNotNull();
      ExecutionResult last = play("s");
      SessionRequest end =
          new SessionRequest(
              UUID.randomUUID().toString(), "s", new SessionOperation.End(), null, null);
      publisher().publish(end);
      publisher().await(end.requestId());
      assertThat(archive.retained(Set.of("s")).get("s"))
          .last()
          .satisfies(newest -> assertThat(newest.id()).isEqualTo(last.state().snapshot()));

      publisher().run(Publisher.python("s", "again = 1"));

      assertThat(archive.retained(Set.of("s")).get("s"))
          .extracting(RetainedSnapshot::step)
          .containsExactly(1L, 2L, 3L, 1L);
    }
  }

  @Test
  void stateInAnObjectStore_isReadWithItsSettings_andSaysWithoutThemWhatIsMissing()
      throws Exception {
    Path store = Files.createDirectory(folder.resolve("store"));
    String[] settings = {"object.store", store.toString(), "claim.check", "64KiB"};
    try (Worker worker = worker(settings);
        SnapshotArchive archive = archive(settings);
        SnapshotArchive without = archive()) {
      assertThat(worker).isNotNull();
      play("s");
      String reference = archive.retained(Set.of("s")).get("s").get(2).reference();
      SnapshotCopy copy = archive.read(reference);
      PieceSupply supply = archive.pieces(reference);
      String restored = archive.restore(copy, supply);
      fork(publisher(), "again", restored);
      assertThat(publisher().run(Publisher.python("again", LOOK)).stdout())
          .endsWith(" 7 7 2 700000 x\n");

      assertThatThrownBy(() -> pieces(without, reference))
          .isInstanceOf(ArchiveException.class)
          .hasMessageContaining("object.store");
    }
  }

  @Test
  void whatIsDamagedOrMissing_isNotRestored() throws Exception {
    try (Worker worker = worker();
        SnapshotArchive archive = archive()) {
      assertThat(worker).isNotNull();
      play("s");
      String reference = archive.retained(Set.of("s")).get("s").get(2).reference();
      SnapshotCopy copy = archive.read(reference);
      Map<String, byte[]> pieces = pieces(archive, reference);

      assertThatThrownBy(() -> archive.restore(copy, id -> null))
          .isInstanceOf(ArchiveException.class)
          .hasMessageContaining("isn't there");
      assertThatThrownBy(() -> archive.restore(copy, id -> new byte[1]))
          .isInstanceOf(ArchiveException.class)
          .hasMessageContaining("something else");
      byte[] changed = copy.description().clone();
      changed[changed.length - 1] ^= 1;
      SnapshotCopy damaged = new SnapshotCopy(copy.id(), copy.step(), changed, copy.pieces());
      assertThatThrownBy(() -> archive.restore(damaged, pieces::get))
          .isInstanceOf(ArchiveException.class)
          .hasMessageContaining("damaged");
      assertThatThrownBy(() -> archive.read("s1.0.1.1.0.5.5." + copy.id()))
          .isInstanceOf(ArchiveException.class);

      assertThat(archive.restore(copy, pieces::get)).startsWith("s1.");
    }
  }

  private static StateContents contents(SnapshotArchive archive, RetainedSnapshot at)
      throws Exception {
    return SnapshotArchive.contents(archive.read(at.reference()), archive.pieces(at.reference()));
  }

  /** The names of what differs between two states. */
  private static Set<String> changed(StateContents one, StateContents other) {
    Set<String> found = new TreeSet<>();
    changed("", one.variables(), other.variables(), found);
    changed("file ", one.files(), other.files(), found);
    changed("setting ", one.settings(), other.settings(), found);
    return found;
  }

  private static void changed(
      String kind,
      Map<String, StateContents.Item> one,
      Map<String, StateContents.Item> other,
      Set<String> into) {
    Set<String> names = new TreeSet<>(one.keySet());
    names.addAll(other.keySet());
    for (String name : names) {
      if (!Objects.equals(one.get(name), other.get(name))) {
        into.add(kind + name);
      }
    }
  }

  @Test
  void contents_nameJustWhatChanged() throws Exception {
    try (Worker worker = worker();
        SnapshotArchive archive = archive()) {
      assertThat(worker).isNotNull();
      play("s");
      publisher().run(Publisher.shell("s", "touch d/f; echo more > d/h; chmod 600 d/g"));
      publisher().run(Publisher.python("s", "def f(): return n + 2 * later\nm = -1.5; k = m"));
      publisher().run(Publisher.python("s", "C.h = 1; import os; os.environ['A'] = 'bc'"));
      List<RetainedSnapshot> retained = archive.retained(Set.of("s")).get("s");
      List<StateContents> contents = new ArrayList<>();
      for (RetainedSnapshot each : retained) {
        contents.add(contents(archive, each));
      }

      assertThat(contents.get(0).variables().keySet())
          .containsExactlyInAnyOrder("os", "zlib", "Path", "data", "f", "C", "c", "n");
      assertThat(contents.get(0).variables().get("n").text()).isEqualTo("1");
      assertThat(contents.get(0).variables().get("data").text()).contains("3145");
      assertThat(contents.get(0).variables().get("f").text()).startsWith("function, ");
      assertThat(contents.get(0).files().get("d/f").text()).isEqualTo("file, 700000 bytes, 0644");
      assertThat(changed(contents.get(0), contents.get(1))).containsExactly("data", "later");
      assertThat(changed(contents.get(1), contents.get(2))).containsExactly("file d/g", "n");
      assertThat(changed(contents.get(2), contents.get(3))).containsExactly("file d/g", "file d/h");
      assertThat(changed(contents.get(3), contents.get(4))).containsExactly("f", "k", "m");
      assertThat(contents.get(4).variables().get("k").text()).isEqualTo("-1.5");
      assertThat(changed(contents.get(4), contents.get(5)))
          .containsExactly("C", "c", "setting environment A");
    }
  }
}
