package dev.stepwell.worker.state.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every object store does. */
abstract class ObjectStoreContract {
  private static final String NAME = "ab12cd34-an-object";

  /** A store that is there, without objects. */
  abstract ObjectStore store() throws Exception;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4097, 512 << 10})
  void whatIsPut_isThere(int size) throws Exception {
    try (ObjectStore store = store()) {
      byte[] bytes = bytes(size);
      store.put(NAME, bytes);
      assertThat(store.get(NAME, 512 << 10)).isEqualTo(bytes);
    }
  }

  @Test
  void puttingAgain_replaces() throws Exception {
    try (ObjectStore store = store()) {
      store.put(NAME, bytes(10));
      byte[] second = bytes(20);
      store.put(NAME, second);
      assertThat(store.get(NAME, 100)).isEqualTo(second);
    }
  }

  @Test
  void objectThatIsNotThere_isNotFound() throws Exception {
    try (ObjectStore store = store()) {
      assertThatThrownBy(() -> store.get("0123-none", 100))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> {
                assertThat(e.kind()).isEqualTo(StoreException.Kind.NOT_FOUND);
                assertThat(e.permanent()).isTrue();
              })
          .hasMessageContaining("0123-none");
    }
  }

  @Test
  void largerObject_isCutOff() throws Exception {
    try (ObjectStore store = store()) {
      store.put(NAME, bytes(512 << 10));
      assertThat(store.get(NAME, 10)).hasSize(10);
      assertThat(store.get(NAME, 512 << 10)).hasSize(512 << 10);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "abc", "../../etc/passwd", "ABCD", "ab/cd", "abcd\n"})
  void otherNames_areRefused(String name) throws Exception {
    try (ObjectStore store = store()) {
      assertThatThrownBy(() -> store.put(name, new byte[1]))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> store.get(name, 1)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void manyAtOnce_doNotMixThingsUp() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (ObjectStore store = store()) {
      List<Future<byte[]>> read = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        byte[] bytes = new byte[1000 + i];
        String name = "object-" + i;
        read.add(
            threads.submit(
                () -> {
                  store.put(name, bytes);
                  store.put(name, bytes);
                  return store.get(name, 4000);
                }));
      }
      for (int i = 0; i < 64; i++) {
        assertThat(read.get(i).get()).hasSize(1000 + i);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random().nextBytes(bytes);
    return bytes;
  }
}
