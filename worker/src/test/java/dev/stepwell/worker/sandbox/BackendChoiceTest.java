package dev.stepwell.worker.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class BackendChoiceTest {
  private final FakeBackend backend = new FakeBackend();

  private BackendCandidate usable(String name) {
    return new BackendCandidate(name, () -> Availability.usable("it is " + name), () -> backend);
  }

  private static BackendCandidate missing(String name) {
    return new BackendCandidate(
        name,
        () -> Availability.missing("install " + name),
        () -> {
          throw new AssertionError("opened what is missing");
        });
  }

  @Test
  void auto_takesTheFirstUsable_andSaysWhy() throws Exception {
    BackendChoice choice =
        BackendChoice.choose("auto", List.of(missing("docker"), usable("bubblewrap")));
    assertThat(choice.backend()).isSameAs(backend);
    assertThat(choice.reason())
        .isEqualTo("bubblewrap, because it is bubblewrap; not docker: install docker");
  }

  @Test
  void auto_prefersInOrder() throws Exception {
    assertThat(
            BackendChoice.choose("auto", List.of(usable("docker"), usable("bubblewrap"))).reason())
        .isEqualTo("docker, because it is docker");
  }

  @Test
  void auto_withoutAny_neverGoesWithout() {
    assertThatThrownBy(
            () -> BackendChoice.choose("auto", List.of(missing("docker"), missing("bubblewrap"))))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("install docker")
        .hasMessageContaining("install bubblewrap");
  }

  @Test
  void name_takesThatOne() throws Exception {
    BackendChoice choice =
        BackendChoice.choose("bubblewrap", List.of(usable("docker"), usable("bubblewrap")));
    assertThat(choice.reason()).isEqualTo("bubblewrap, as asked for: it is bubblewrap");
  }

  @Test
  void name_missing_isNotReplaced() {
    assertThatThrownBy(
            () -> BackendChoice.choose("docker", List.of(missing("docker"), usable("bubblewrap"))))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("install docker");
  }

  @Test
  void name_unknown_listsTheKnown() {
    assertThatThrownBy(() -> BackendChoice.choose("podman", List.of(usable("docker"))))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("podman")
        .hasMessageContaining("auto")
        .hasMessageContaining("docker");
  }
}
