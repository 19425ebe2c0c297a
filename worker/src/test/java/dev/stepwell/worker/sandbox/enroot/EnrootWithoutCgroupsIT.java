package dev.stepwell.worker.sandbox.enroot;

/** Enroot where no control group is writable, as on the nodes of most clusters. */
final class EnrootWithoutCgroupsIT extends EnrootIT {
  @Override
  boolean cgroups() {
    return false;
  }
}
