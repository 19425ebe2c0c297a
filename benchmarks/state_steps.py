"""What a large session adds to a small step, inside the runner.

``python3 benchmarks/state_steps.py [--repeat 30]``; needs numpy and pandas, and measures cloudpickle where there is one. A
step is timed from the frame that begins it to the one that says what it left, in a warm sandbox of its own; the sessions
take turns, so that a busy machine is busy for both.
"""
import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "worker/src/test/python"))

import driver  # noqa: E402

_LIMITS = {"stateBytes": 1 << 30, "newBytes": 1 << 30}
_IMPORTS = ("numpy", "pandas")
_EMPTY = "import numpy as np, pandas as pd\ncount = 0"
_LARGE = (
    f"{_EMPTY}\nbig = np.random.rand(100 * 131072)\n"
    "df = pd.DataFrame(np.random.rand(100 * 131072 // 5, 5), columns=list('abcde'))\n"
    "d = {i: [i, float(i), str(i)] for i in range(300_000)}\n"
    "for i in range(200): globals()[f's{i}'] = [i]\n"
    "def inc():\n    global count\n    count += 1\n"
)
_STEPS = {
    "increment a counter": "count += 1",
    "call a function": "inc()",
    "read an element": "big[5]",
    "write an element": "big[12345] = 1.0",
    "write a cell": "df.iat[5, 2] = 1.0",
}
_CLOUDPICKLE = (
    "import time, cloudpickle, pickle\nnames = {k: v for k, v in globals().items() if k[0] != '_'}\n"
    "t = time.perf_counter(); data = cloudpickle.dumps(names, 5); t1 = time.perf_counter(); _ = pickle.loads(data)\n"
    "print(f'{(t1 - t) * 1e3:.0f} ms to dump, {(time.perf_counter() - t1) * 1e3:.0f} ms to load, {len(data) / 1e6:.0f} MB')"
)


class _Shelf(driver.Store):
    """Has all pieces in an extent beforehand, as a worker's cache does."""

    extents: "dict[int, list[bytes]]" = {}

    def places(self, indexes: list[int]) -> list[bytes]:
        known = self.extents.get(id(self.pieces))
        if known is None:
            known = self.extents[id(self.pieces)] = super().places(list(range(len(self.pieces))))
        return [known[index] for index in indexes]


def _time(source: str, snapshot: driver.Snapshot) -> tuple[float, driver.Result]:
    with driver.Runner(_IMPORTS, first_process=False) as runner:
        begun = time.perf_counter()
        runner.begin(source, snapshot, step=2, **_LIMITS)
        ended = 0.0

        def on_frame(runner: driver.Runner, kind: bytes, payload: bytes) -> None:
            nonlocal ended
            if kind == b"S":
                ended = time.perf_counter()

        result = runner.finish(on_frame)
        return (ended - begun) * 1e3, result


def main() -> None:
    """Prints what each step takes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeat", type=int, default=30)
    repeat = parser.parse_args().repeat
    driver.Store = _Shelf
    empty, large = [driver.run_step(source, imports=_IMPORTS, **_LIMITS).snapshot for source in (_EMPTY, _LARGE)]
    assert empty is not None and large is not None
    print(f"large session: {len(large) / 1e6:.0f} MB in {len(large.pieces)} pieces, a table of {len(large.body)} bytes")
    for name, source in _STEPS.items():
        base: list[float] = []
        full: list[float] = []
        for _ in range(repeat):
            base.append(_time("count += 1", empty)[0])
            elapsed, result = _time(source, large)
            assert result.text("ending") == "completed", result.text("exception.traceback")
            full.append(elapsed)
        p50 = statistics.median(full) - statistics.median(base)
        best = min(full) - min(base)
        print(
            f"{name:20} adds {p50:5.1f} ms p50, {best:5.1f} ms at best, to {statistics.median(base):.1f} ms;"
            f" {result.new_bytes} bytes new"
        )
    result = driver.run_step(_CLOUDPICKLE, large, imports=_IMPORTS, **(_LIMITS | {"stateBytes": 0}))
    print(f"cloudpickle of the whole namespace: {result.printed or result.text('exception.message')}")


if __name__ == "__main__":
    main()
