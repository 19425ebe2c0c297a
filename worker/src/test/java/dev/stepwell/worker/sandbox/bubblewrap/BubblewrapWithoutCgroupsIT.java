package dev.stepwell.worker.sandbox.bubblewrap;

import dev.stepwell.worker.sandbox.SandboxBackend;

/** Bubblewrap where no control group is writable. */
final class BubblewrapWithoutCgroupsIT extends BubblewrapIT {
  @Override
  protected SandboxBackend open() throws Exception {
    BubblewrapSettings defaults = BubblewrapSettings.defaults();
    return BubblewrapBackend.open(
        new BubblewrapSettings(defaults.bwrap(), defaults.stateFolder(), false));
  }
}
