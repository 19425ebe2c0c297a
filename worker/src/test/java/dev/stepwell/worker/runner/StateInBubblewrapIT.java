package dev.stepwell.worker.runner;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.stepwell.worker.sandbox.Availability;
import dev.stepwell.worker.sandbox.SandboxBackend;
import dev.stepwell.worker.sandbox.bubblewrap.BubblewrapBackend;
import dev.stepwell.worker.sandbox.bubblewrap.BubblewrapSettings;

/** State in bubblewrap's sandboxes. */
final class StateInBubblewrapIT extends StateInSandbox {
  @Override
  SandboxBackend open() throws Exception {
    Availability found = BubblewrapBackend.probe(BubblewrapSettings.defaults());
    assumeThat(found.usable()).as(found.reason()).isTrue();
    return BubblewrapBackend.open(BubblewrapSettings.defaults());
  }

  @Override
  String image() {
    return "none";
  }
}
