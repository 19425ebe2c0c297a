"""What the simulation must get right before anybody believes it."""
import dataclasses
import unittest

from scaling_simulation import Setting, Simulation, outcome, publish


class ScalingSimulationTest(unittest.TestCase):
    def test_workersThatAreBusyAllTheTime_makeWhatTheirSlotsCan(self):
        busy = Setting(slots=2, partitions=4, waits=0.1, works=0.0, starts=0.0, per_second=100.0, seconds=50.0)
        for workers in (1, 2, 4):
            said = outcome(dataclasses.replace(busy, workers=workers))
            self.assertAlmostEqual(said["rate"], workers * 20, delta=workers * 20 * 0.15)

    def test_coresThatAreShared_bindWhatSlotsWouldNot(self):
        shared = Setting(
            workers=4, slots=8, partitions=16, waits=0.0, works=0.05, starts=0.0, per_machine=0, cores=2, per_second=100.0,
            seconds=50.0,
        )
        self.assertAlmostEqual(outcome(shared)["rate"], 40, delta=1)

    def test_sandboxesThatAreStartedTooSlowly_bindWhatSlotsWouldNot(self):
        hungry = Setting(slots=8, waits=0.01, works=0.0, starts=0.05, cores=2, per_second=100.0, seconds=50.0)
        self.assertAlmostEqual(outcome(hungry)["rate"], 40, delta=1)

    def test_sandboxesThatAreStartedAhead_letNobodyWait(self):
        ahead = Setting(slots=8, waits=0.01, works=0.0, starts=0.05, cores=2, per_second=4.0, seconds=50.0)
        self.assertEqual(0, outcome(ahead)["queuedP99Ms"])
        self.assertGreater(outcome(dataclasses.replace(ahead, starts=0.0, works=0.3, slots=1))["queuedP99Ms"], 0)

    def test_fewRequests_waitForNothing(self):
        self.assertEqual(0, outcome(Setting(slots=8, per_second=1.0))["queuedP50Ms"])

    def test_aSessionsRequests_runOneAtATime(self):
        one = Setting(slots=8, sessions=1, waits=0.1, works=0.0, per_second=50.0, seconds=20.0)
        self.assertAlmostEqual(outcome(one)["rate"], 10, delta=0.5)

    def test_aWorkerWithTwiceTheShare_letsRequestsWait(self):
        even = Setting(workers=10, slots=8, partitions=20, waits=1.0, works=0.0, per_second=64.0, seconds=200.0)
        uneven = dataclasses.replace(even, partitions=15)
        self.assertGreater(outcome(uneven)["queuedP50Ms"], outcome(even)["queuedP50Ms"] + 500)

    def test_requests_areAllAnsweredWhateverWorkersDo(self):
        setting = Setting(workers=4, slots=2, partitions=16, per_second=100.0, seconds=20.0, sessions=50)
        simulation = Simulation(setting)
        arrived = []
        arrive = simulation.arrive
        simulation.arrive = lambda at: (arrived.append(at), arrive(at))
        publish(simulation, lambda at: setting.per_second)
        for when, count in ((3.0, 1), (6.0, 7), (9.0, 2), (12.0, 5), (12.1, 3)):
            simulation.call(when, simulation.resize, count)
        simulation.run()
        self.assertEqual(len(arrived), len(simulation.ended))
        self.assertEqual(len(arrived), len(simulation.queued))

    def test_partitions_areSharedEvenlyAndMoveNoMoreThanTheyMust(self):
        simulation = Simulation(Setting(workers=3, partitions=64))
        before = list(simulation._owner)
        simulation.resize(4)
        shares = [simulation._owner.count(worker) for worker in simulation.workers]
        self.assertEqual([16, 16, 16, 16], shares)
        self.assertEqual(16, sum(old is not new for old, new in zip(before, simulation._owner)))

    def test_theSameSeed_givesTheSameRun(self):
        self.assertEqual(outcome(Setting()), outcome(Setting()))


if __name__ == "__main__":
    unittest.main()
