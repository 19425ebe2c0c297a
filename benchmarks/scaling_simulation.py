"""How many workers, and how many partitions: a simulation of a Stepwell installation, event by event.

    scaling_simulation.py check FILE      predicts what benchmarks/scaling measured, from its run of one worker alone
    scaling_simulation.py partitions      what unequal shares of partitions cost, up to 2000 workers
    scaling_simulation.py autoscale       a day of load under three rules for the number of workers
    scaling_simulation.py run NAME=VALUE  one run; names are the fields of Setting

What it knows: requests go to partitions by the hash of their key; a partition belongs to one worker at a time; a worker has
slots, and takes what waits in its partitions in the order of arrival; requests of one session run one at a time; a step
takes a sandbox that was started ahead, processor time of its machine, which is shared, and time that needs no processor;
partitions that move stand still meanwhile. What it doesn't: memory, network, the broker's own limits.
"""
import argparse
import dataclasses
import heapq
import json
import math
import random
import statistics
import sys
from collections import deque


# A prediction that is further from what was measured is none.
_RATES_OFF = 1.2


@dataclasses.dataclass
class Setting:
    """What is simulated. Times are in seconds."""

    workers: int = 1
    slots: int = 4
    partitions: int = 64
    per_second: float = 10.0
    seconds: float = 60.0
    # Time in a slot that needs no processor, and that which does.
    waits: float = 0.05
    works: float = 0.015
    # The processor time of a sandbox's start, which is in no slot, and how many a worker has ready for each slot.
    starts: float = 0.06
    ready: int = 2
    # 0 is always the same, 1 is exponential.
    spread: float = 0.0
    # Workers that share a machine's cores; 0 is all of them.
    per_machine: int = 1
    cores: int = 4
    # Requests belong to so many sessions; 0 is one-shots.
    sessions: int = 0
    # How long a partition that moves stands still.
    moves: float = 0.5
    seed: int = 1


class Machine:
    """Cores that serve one job after the other."""

    def __init__(self, cores: int) -> None:
        self._free = [0.0] * cores

    def serve(self, now: float, seconds: float) -> float:
        """When a job that comes now is done."""
        end = max(now, heapq.heappop(self._free)) + seconds
        heapq.heappush(self._free, end)
        return end


class Worker:
    """A worker's slots and sandboxes, and the requests that wait in its partitions."""

    def __init__(self, machine: Machine, slots: int, sandboxes: int) -> None:
        self.machine = machine
        self.free = slots
        self.sandboxes = sandboxes
        self.ready: deque = deque()


class Simulation:
    """One run. Requests are [arrival, session or None]; what came of them is in ``queued`` and ``ended``."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.random = random.Random(setting.seed)
        self.now = 0.0
        self.queued: list[float] = []
        self.ended: list[float] = []
        self._events: list = []
        self._number = 0
        self._machines: list[Machine] = []
        self.workers: list[Worker] = []
        self._owner: list[Worker | None] = [None] * setting.partitions
        self._moving: list[float] = [0.0] * setting.partitions
        self._waiting: dict[int, deque] = {}
        self._stalled: dict[int, list] = {}
        for _ in range(setting.workers):
            self._add_worker()
        self._assign()

    # --- workers ------------------------------------------------------------------------------------------------------

    def _add_worker(self) -> None:
        shared = self.setting.per_machine or 1 << 30
        if len(self.workers) % shared == 0:
            self._machines.append(Machine(self.setting.cores))
        self.workers.append(Worker(self._machines[-1], self.setting.slots, self.setting.slots * self.setting.ready))

    def resize(self, count: int) -> None:
        """Workers join, or the last ones leave, in good order: what they run they finish."""
        while len(self.workers) < count:
            self._add_worker()
        leaving = self.workers[count:]
        del self.workers[count:]
        waiting = [request for worker in leaving for request in worker.ready]
        for worker in leaving:
            worker.ready.clear()
        self._assign()
        for request in waiting:
            self._offer(request)

    def _assign(self) -> None:
        """Spreads partitions evenly and moves no more than it must, as Kafka's assignors do."""
        count = len(self.workers)
        most = -(-self.setting.partitions // count) if count else 0
        held: dict[int, list[int]] = {id(worker): [] for worker in self.workers}
        homeless = []
        for partition, owner in enumerate(self._owner):
            if owner is not None and len(held.get(id(owner), range(most))) < most:
                held[id(owner)].append(partition)
            else:
                homeless.append(partition)
        low = self.setting.partitions // count if count else 0
        for worker in self.workers:
            mine = held[id(worker)]
            while len(mine) < low and homeless:
                mine.append(homeless.pop())
            if len(mine) < low:
                donors = [other for other in held.values() if len(other) > low]
                while len(mine) < low and donors:
                    mine.append(donors[-1].pop())
                    if len(donors[-1]) <= low:
                        donors.pop()
        for worker in self.workers:
            if homeless:
                held[id(worker)].append(homeless.pop())
            for partition in held[id(worker)]:
                if self._owner[partition] is not worker:
                    if self._owner[partition] is not None:
                        self._moving[partition] = self.now + self.setting.moves
                        self._take_back(partition)
                    self._owner[partition] = worker

    def _take_back(self, partition: int) -> None:
        """What waits at the old owner goes along."""
        owner = self._owner[partition]
        if owner is None or not owner.ready:
            return
        going = [request for request in owner.ready if request[2] == partition]
        if going:
            owner.ready = deque(request for request in owner.ready if request[2] != partition)
            self._stalled.setdefault(partition, []).extend(going)
            self._at(self._moving[partition] or self.now, self._go_on, partition)

    def _go_on(self, partition: int) -> None:
        if self._moving[partition] > self.now:
            self._at(self._moving[partition], self._go_on, partition)
            return
        for request in self._stalled.pop(partition, []):
            self._hand_over(request)

    # --- requests -----------------------------------------------------------------------------------------------------

    def arrive(self, at: float) -> None:
        """A request will be published then."""
        session = self.random.randrange(self.setting.sessions) if self.setting.sessions else None
        # A key's hash is as good as a random number, but always the same for a session.
        key = session * 2654435761 % 4294967291 if session is not None else self.random.getrandbits(32)
        self._at(at, self._offer, [at, session, key % self.setting.partitions])

    def _offer(self, request: list) -> None:
        session = request[1]
        if session is not None and len(request) == 3:
            queue = self._waiting.setdefault(session, deque())
            queue.append(request)
            request.append(True)
            if len(queue) > 1:
                return
        self._hand_over(request)

    def _hand_over(self, request: list) -> None:
        partition = request[2]
        if self._moving[partition] > self.now:
            self._stalled.setdefault(partition, []).append(request)
            self._at(self._moving[partition], self._go_on, partition)
            return
        worker = self._owner[partition]
        worker.ready.append(request)
        self._start(worker)

    def _start(self, worker: Worker) -> None:
        while worker.free and worker.ready and worker.sandboxes:
            worker.free -= 1
            worker.sandboxes -= 1
            self._at(worker.machine.serve(self.now, self.setting.starts), self._sandbox_came, worker)
            request = worker.ready.popleft()
            self.queued.append(self.now - request[0])
            worked = worker.machine.serve(self.now, self.setting.works)
            self._at(worked + self._drawn(self.setting.waits), self._end, (worker, request))

    def _sandbox_came(self, worker: Worker) -> None:
        worker.sandboxes += 1
        self._start(worker)

    def _end(self, ended: tuple) -> None:
        worker, request = ended
        worker.free += 1
        self.ended.append(self.now)
        if request[1] is not None:
            queue = self._waiting[request[1]]
            queue.popleft()
            if queue:
                self._hand_over(queue[0])
        self._start(worker)

    def _drawn(self, mean: float) -> float:
        spread = self.setting.spread
        return mean * (1 - spread) + (self.random.expovariate(1 / (mean * spread)) if mean and spread else 0)

    # --- time ---------------------------------------------------------------------------------------------------------

    def _at(self, when: float, what, argument) -> None:
        self._number += 1
        heapq.heappush(self._events, (when, self._number, what, argument))

    def call(self, when: float, what, argument) -> None:
        """Calls something then."""
        self._at(when, what, argument)

    def run(self) -> None:
        """Runs until nothing is left to happen."""
        while self._events:
            self.now, _, what, argument = heapq.heappop(self._events)
            what(argument)


def publish(simulation: Simulation, rate) -> None:
    """Requests at random moments; ``rate`` is the rate at a moment, at most ``per_second``."""
    setting, at = simulation.setting, 0.0
    while True:
        at += simulation.random.expovariate(setting.per_second)
        if at > setting.seconds:
            return
        if simulation.random.random() * setting.per_second < rate(at):
            simulation.arrive(at)


def quantile(values: list[float], part: float) -> float:
    """A value that so great a part of them does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


def outcome(setting: Setting) -> dict:
    """What comes of one run at a constant rate."""
    simulation = Simulation(setting)
    publish(simulation, lambda at: setting.per_second)
    simulation.run()
    queued = [1000 * each for each in simulation.queued]
    return {
        "requests": len(queued),
        "rate": len(queued) / max(setting.seconds, simulation.ended[-1] if simulation.ended else 0),
        "queuedP50Ms": quantile(queued, 0.5),
        "queuedP90Ms": quantile(queued, 0.9),
        "queuedP99Ms": quantile(queued, 0.99),
    }


# --- the questions ----------------------------------------------------------------------------------------------------


def check(path: str) -> int:
    """Predicts the measured runs from the one of one worker: its time in a slot, and the processor time of a step.

    All processor time counts as a sandbox's start: nearly all of it is, and what is in a slot is in its time already.
    """
    with open(path, encoding="utf-8") as lines:
        measured = [json.loads(line) for line in lines if line.startswith("{")]
    runs = [run for run in measured if run["what"] == "open"]
    alone = next(run for run in runs if run["workers"] == 1)
    worst = 0.0
    print("workers  rate measured/simulated  queued p50 ms  p90 ms         p99 ms")
    for run in runs:
        setting = Setting(
            workers=run["workers"], slots=run["slots"], partitions=12, per_second=run["offered"],
            waits=alone["heldMeanMs"] / 1000, works=0.0, starts=alone["cpuMs"] / 1000, ready=run["ready"],
            per_machine=0, cores=run["cores"], seconds=run["requests"] / run["offered"],
        )  # fmt: skip
        rounds = [outcome(dataclasses.replace(setting, seed=seed)) for seed in range(1, 10)]
        said = {name: statistics.median(each[name] for each in rounds) for name in rounds[0]}
        worst = max(worst, abs(math.log(run["rate"] / said["rate"])))
        columns = [f"{run[name]:6.1f}/{said[name]:6.1f}" for name in ("queuedP50Ms", "queuedP90Ms", "queuedP99Ms")]
        print(f"{run['workers']:7}  {run['rate']:8.2f}/{said['rate']:8.2f}        {'  '.join(columns)}")
    print(f"rates are off by {100 * (math.exp(worst) - 1):.1f} % at most")
    return 0 if worst < math.log(_RATES_OFF) else 1


def partitions() -> int:
    """At eight tenths of what all slots could take, how long requests wait, for so many partitions to a worker."""
    print("workers  partitions  to a worker  busiest has  queued p50 ms  p99 ms")
    for workers in (20, 200, 2000):
        for share in (1, 1.5, 2.5, 4.5, 8.5):
            count = int(workers * share)
            setting = Setting(
                workers=workers, slots=8, partitions=count, waits=1.0, works=0.015, starts=0.0, spread=0.5, cores=4,
                seconds=8000.0 / workers + 20, per_second=0.8 * workers * 8 / 1.015,
            )  # fmt: skip
            said = outcome(setting)
            busiest = -(-count // workers) / (count / workers)
            print(
                f"{workers:7}  {count:10}  {share:11}  {busiest:9.2f} x  {said['queuedP50Ms']:13.0f}"
                f"  {said['queuedP99Ms']:6.0f}"
            )
    return 0


class Scaler:
    """Decides every so often how many workers there should be."""

    def __init__(self, simulation: Simulation, rule: str, most: int) -> None:
        self.simulation = simulation
        self.rule = rule
        self.most = most
        self.used = 0.0
        self._seen = 0
        self._low_since: float | None = None
        self._before = 0.0
        self._coming = 0
        self._began = 0

    def look(self, every: float) -> None:
        simulation, setting = self.simulation, self.simulation.setting
        count = len(simulation.workers)
        self.used += (simulation.now - self._before) * (count + self._coming)
        self._before = simulation.now
        waiting = sum(len(worker.ready) for worker in simulation.workers) + sum(map(len, simulation._stalled.values()))
        wanted = max(1, min(self.most, self._wanted(count, waiting)))
        if wanted > count + self._coming:
            self._coming = wanted - count
            simulation.call(simulation.now + 15.0, self._came, wanted)
            self._low_since = None
        elif wanted < count and not self._coming:
            if self._low_since is None:
                self._low_since = simulation.now
            elif simulation.now - self._low_since >= 300.0:
                simulation.resize(wanted)
                self._low_since = None
        else:
            self._low_since = None
        if simulation.now < setting.seconds:
            simulation.call(simulation.now + every, self.look, every)

    def _came(self, wanted: int) -> None:
        self._coming = 0
        self.simulation.resize(max(wanted, len(self.simulation.workers)))

    def _wanted(self, count: int, waiting: int) -> int:
        simulation, slots = self.simulation, self.simulation.setting.slots
        busy = sum(slots - worker.free for worker in simulation.workers)
        recent = simulation.queued[self._seen :]
        self._seen = len(simulation.queued)
        if self.rule == "lag":
            # Kafka's lag counts what runs as well as what waits.
            return math.ceil((waiting + busy) / slots / 2)
        if self.rule == "queue time":
            slow = quantile(recent, 0.9) if recent else 0.0
            if slow > 1.0:
                return count + max(1, math.ceil(count * min(1.0, slow / 10.0)))
            return math.ceil(busy / slots / 0.7) if slow < 0.2 else count
        return self.most


def autoscale() -> int:
    """Six hours with a morning, a quiet noon, and an evaluation of 20,000 tasks at once."""
    setting = Setting(
        slots=8, partitions=256, waits=2.0, works=0.015, starts=0.0, spread=0.5, per_second=160.0, seconds=6 * 3600.0, cores=4,
        workers=4,
    )  # fmt: skip

    def rate(at: float) -> float:
        hour = at / 3600
        return 10 + 120 * math.exp(-((hour - 1.5) ** 2) / 0.3) + 30 * math.exp(-((hour - 5) ** 2) / 0.3)

    print("rule        queued p50 s    p90    p99    last of the burst after s  worker hours")
    for rule in ("fixed", "lag", "queue time"):
        simulation = Simulation(dataclasses.replace(setting, workers=48 if rule == "fixed" else 4))
        publish(simulation, rate)
        burst = 3.5 * 3600
        for _ in range(20_000):
            simulation.arrive(burst)
        scaler = Scaler(simulation, rule, 48)
        simulation.call(0.0, scaler.look, 15.0)
        simulation.run()
        order = sorted(simulation.queued)
        last = next((end for end in _idle_after(simulation, burst)), burst)
        print(
            f"{rule:10}  {quantile(order, 0.5):12.2f} {quantile(order, 0.9):6.1f} {quantile(order, 0.99):6.1f}"
            f"  {last - burst:25.0f}  {scaler.used / 3600:12.0f}"
        )
    return 0


def _idle_after(simulation: Simulation, burst: float):
    """The moment when as many have ended as had been published by the burst."""
    published_before = sum(1 for end in simulation.ended if end < burst)
    ended = sorted(simulation.ended)
    index = published_before + 20_000
    if index < len(ended):
        yield ended[index]


def run(settings: list[str]) -> int:
    """One run of what the arguments say."""
    kinds = {field.name: field.type for field in dataclasses.fields(Setting)}
    values = {}
    for each in settings:
        name, equals, value = each.partition("=")
        if not equals or name not in kinds:
            sys.exit(f"'{each}' is no NAME=VALUE; names: {', '.join(kinds)}")
        values[name] = (int if kinds[name] is int else float)(value)
    print(json.dumps(outcome(Setting(**values))))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("question", choices=("check", "partitions", "autoscale", "run"))
    parser.add_argument("rest", nargs="*")
    arguments = parser.parse_args()
    if arguments.question == "check":
        return check(arguments.rest[0])
    if arguments.question == "run":
        return run(arguments.rest)
    return partitions() if arguments.question == "partitions" else autoscale()


if __name__ == "__main__":
    sys.exit(main())
