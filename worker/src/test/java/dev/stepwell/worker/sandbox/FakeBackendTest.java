package dev.stepwell.worker.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class FakeBackendTest extends BackendContract {
  @Override
  protected SandboxBackend open() {
    return new FakeBackend();
  }

  @Override
  protected String python() {
    return "/usr/bin/python3";
  }

  @Override
  protected List<String> leftovers(String id) {
    return ((FakeBackend) backend).live().stream().filter(id::equals).toList();
  }

  @Test
  void failure_happensOnceWhenToldTo() throws Exception {
    FakeBackend fake = (FakeBackend) backend;
    fake.failNextCreate(SandboxException.passing("told to", null));
    assertThatThrownBy(() -> start("pass")).hasMessage("told to");
    assertThat(run("print(1)")).isEqualTo("1\n");
  }

  @Test
  void crash_endsTheOutput() throws Exception {
    Sandbox sandbox = start("import time; time.sleep(1000)");
    ((FakeBackend) backend).crash(sandbox.id());
    assertThat(sandbox.output().read()).isEqualTo(-1);
  }
}
