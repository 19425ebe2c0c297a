"""What a snapshot can't keep, and how that is told."""
import importlib.util
import marshal
import unittest

from driver import Snapshot, run_session, run_step

LOSSES = {
    "g = (lambda: (yield))()": ("g", "g", "builtins.generator"),
    "d = {'k': [1, (lambda: (yield))()]}": ("d", "d['k'][1]", "builtins.generator"),
    "class A: pass\na = A(); a.b = A(); a.b.c = open('/etc/passwd')": ("a", "a.b.c", "_io.TextIOWrapper"),
    "def f():\n    g = (lambda: (yield))()\n    return lambda: g\nh = f()": ("h", "h.<closure>.g", "builtins.generator"),
    "import threading\nt = threading.Thread(target=print)": ("t", "t", "threading.Thread"),
    "import subprocess\np = subprocess.Popen(['true']); p.wait()": ("p", "p", "subprocess.Popen"),
    "import socket\ns = socket.socket(); s.bind(('127.0.0.1', 0))": ("s", "s", "socket.socket"),
    "import sqlite3\nc = sqlite3.connect('/tmp/none.db')": ("c", "c", "sqlite3.Connection"),
    "import asyncio\nl = asyncio.new_event_loop()": ("l", "l", "asyncio.unix_events._UnixSelectorEventLoop"),
    "from concurrent.futures import ThreadPoolExecutor\ne = ThreadPoolExecutor()": ("e", "e", "concurrent.futures.thread.ThreadPoolExecutor"),
    "class B:\n    def __getstate__(self): raise ValueError('mine')\nb = B()": ("b", "b", "__main__.B"),
    "class R:\n    def __reduce__(self): return 5\nr = R()": ("r", "r", "__main__.R"),
    "class S:\n    def __reduce__(self): return 'nowhere'\ns = S()": ("s", "s", "__main__.S"),
    "import sys\nfr = sys._getframe()": ("fr", "fr", "builtins.frame"),
}


class LossTest(unittest.TestCase):
    def test_losses_are_named_with_path_and_type_and_cost_nothing_else(self) -> None:
        for source, (name, path, type_) in LOSSES.items():
            with self.subTest(source):
                first, second = run_session([f"kept = [1]\n{source}\nalias = kept", "print(kept, alias is kept)"])
                told = [(loss["name"], loss["path"], loss["type"]) for loss in first.losses()]
                self.assertEqual([(name, path, type_)], told)
                self.assertTrue(first.losses()[0]["reason"])
                self.assertEqual("[1] True", second.printed)

    def test_container_is_kept_around_a_lost_leaf(self) -> None:
        result = run_session(["d = {'n': 1, 'g': (lambda: (yield))(), 'l': [2]}", "print(d['n'], d['l'], d['g'])\nnext(d['g'])"])[-1]
        self.assertTrue(result.printed.startswith("1 [2] <lost: "), result.printed)
        self.assertEqual("RuntimeError", result.text("exception.name"))
        self.assertIn("cannot pickle 'generator' object", result.text("exception.message") or "")
        self.assertNotIn("/stepwell/", result.text("exception.traceback") or "")

    def test_lost_name_explains_itself_until_it_is_bound_again(self) -> None:
        results = run_session(["g = (lambda: (yield))()", "x = 1", "g", "g = 2", "del g", "g"])
        note = "'g' was not kept between steps: g is builtins.generator: cannot pickle 'generator' object"
        self.assertIn(note, results[2].text("exception.traceback") or "")
        self.assertNotIn("not kept", results[5].text("exception.traceback") or "")

    def test_each_name_of_a_lost_value_is_told(self) -> None:
        losses = run_step("a = (lambda: (yield))(); b = a").losses()
        self.assertEqual(["a", "b"], [loss["name"] for loss in losses])


class CapTest(unittest.TestCase):
    def test_largest_names_are_dropped_at_the_cap(self) -> None:
        first = run_step("big = 'x' * 300_000; mid = b'y' * 60_000; small = [1]", stateBytes=100_000)
        self.assertEqual(["big"], [loss["name"] for loss in first.losses()])
        self.assertLess(len(first.snapshot or b""), 100_000)
        second = run_step("print(len(mid), small)", first.snapshot)
        self.assertEqual("60000 [1]", second.printed)

    def test_many_middling_names_are_dropped_until_the_rest_fits(self) -> None:
        first = run_step("for i in range(10): globals()[f'v{i}'] = 'x' * (10_000 + i)", stateBytes=55_000)
        self.assertEqual(["v9", "v8", "v7", "v6", "v5"], [loss["name"] for loss in first.losses()])
        self.assertIn("over the cap: it takes ", first.losses()[0]["reason"])

    def test_endless_structure_is_bounded(self) -> None:
        result = run_step("class A:\n    def __reduce__(self): return (list, (), None, iter(lambda: 'x' * 1000, 0))\na = A(); k = 1", stateBytes=1 << 20)
        self.assertEqual((["a"], "2"), ([loss["name"] for loss in result.losses()], result.text("kept")))

    def test_class_over_the_cap_is_told(self) -> None:
        first = run_step("class A:\n    big = 'x' * 10**6\nB = A\na = A(); k = [1]", stateBytes=100_000)
        self.assertEqual({"A", "B"}, {loss["name"] for loss in first.losses() if "over the cap" in loss["reason"]})
        second = run_step("print(k)\na.big", first.snapshot)
        self.assertEqual(("[1]", "NameError"), (second.printed, second.text("exception.name")))
        self.assertIn("A was not kept: A is builtins.type: over the cap", second.text("exception.traceback") or "")

    def test_steps_without_state_leave_none(self) -> None:
        self.assertEqual(["A", "V", "Z"], run_step("x = 1", stateBytes=0).order)


class DepthTest(unittest.TestCase):
    def test_long_chain_is_kept(self) -> None:
        depth = 20_000
        steps = [f"chain = None\nfor i in range({depth}): chain = [i, chain]", "n = 0\nwhile chain: chain = chain[1]; n += 1\nprint(n)"]
        first, second = run_session(steps)
        if first.losses():
            # From 3.12 on the depth of C code is bounded by the interpreter's build.
            self.assertEqual(["chain"], [loss["name"] for loss in first.losses()])
        else:
            self.assertEqual(str(depth), second.printed)


class ForeignSnapshotTest(unittest.TestCase):
    SOURCE = "x = [1, 2]\ndef f(): return x\nclass A:\n    k = 3\n    def m(self): return 1\na = A(); a.v = x; ops = {'f': f, 'n': 4}"

    def foreign(self) -> Snapshot:
        """A snapshot that another interpreter version claims to have made, with code that would crash this one."""
        snapshot = run_step(self.SOURCE).snapshot
        assert snapshot is not None
        magic = importlib.util.MAGIC_NUMBER.hex().encode()
        pieces = [piece.replace(magic, b"0" * len(magic)) for piece in snapshot.pieces]
        self.assertNotEqual(snapshot.pieces, pieces)
        return Snapshot(snapshot.body, pieces, snapshot.eager)

    def test_data_is_kept_and_code_is_told_as_lost(self) -> None:
        result = run_step("print(x, a.v is x, a.k, ops['n'])\nf", self.foreign())
        self.assertEqual("[1, 2] True 3 4", result.printed)
        self.assertIn("its code was compiled by cpython-", result.text("exception.traceback") or "")
        self.assertEqual(["f"], [loss["name"] for loss in result.losses() if loss["path"] == "f"])

    def test_lost_methods_raise(self) -> None:
        result = run_step("a.m()", self.foreign())
        self.assertEqual("RuntimeError", result.text("exception.name"))

    def test_bytes_that_are_no_snapshot_run_no_code(self) -> None:
        good = run_step("x = 1").snapshot
        assert good is not None
        body = good.body
        for data in (b"x", b"SWV1", b"SWV1\xff\xff\xff\xff", body[:20], body[:-3], b"SWV1" + marshal.dumps(1)):
            with self.subTest(data[:12]):
                result = run_step("print('never')", Snapshot(data, [], []))
                self.assertEqual(["V", "Z"], result.order)
                self.assertTrue(result.text("restoreError"))


if __name__ == "__main__":
    unittest.main()
