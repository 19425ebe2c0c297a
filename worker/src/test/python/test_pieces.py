"""What a step asks for, leaves alone and leaves behind: bodies, pieces, caps."""
import marshal
import unittest

from driver import Runner, Snapshot, compile_program, run_session, run_step
from fuzz import TINY
from test_state import HAS_NUMPY

PIECE_BYTES = 1 << 19


class LazinessTest(unittest.TestCase):
    def test_what_is_not_reached_is_neither_asked_for_nor_stored_again(self) -> None:
        first = run_step("big = {i: [i] for i in range(100_000)}; small = [0]; n = 1")
        second = run_step("n += 1; small.append(n)", first.snapshot, step=2)
        assert first.snapshot and second.snapshot
        self.assertEqual([first.snapshot.eager], second.store.needed)
        self.assertLess(second.new_bytes, 1000)
        self.assertEqual("100000 [0, 2]", run_step("print(len(big), small)", second.snapshot).printed)

    def test_pieces_are_asked_for_at_once(self) -> None:
        first = run_step("a = list(range(200_000)); b = [str(i) for i in range(200_000)]")
        second = run_step("print(len(a), len(b))", first.snapshot)
        self.assertEqual("200000 200000", second.printed)
        self.assertEqual(2, len(second.store.needed), "the eager ones, and all others")

    def test_same_step_on_same_state_leaves_the_same(self) -> None:
        first = run_step("class A:\n    def m(self): return x\nx = {'k': [1, 2]}; y = x['k']; a = A(); s = {'a', 'b', 'c'}")
        results = [run_step("y.append(3); a.z = a; t = s | {'d'}", first.snapshot, step=2).snapshot for _ in range(3)]
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0], results[2])

    def test_step_that_changes_nothing_leaves_what_it_got(self) -> None:
        first = run_session(["class A:\n    def m(self): return 1\na = A(); d = {'x': [1] * 20}", "a, d"])[-1]
        second = run_step("a.m(), d", first.snapshot, step=3)
        self.assertEqual((0, first.snapshot), (second.new_bytes, second.snapshot))

    def test_one_element_of_a_long_bytearray_costs_one_piece(self) -> None:
        first = run_step("data = bytearray(5_000_000)")
        second = run_step("data[3_000_000] = 1", first.snapshot, step=2)
        self.assertEqual(PIECE_BYTES, second.new_bytes)
        self.assertEqual("1 5000000", run_step("print(data[3_000_000], len(data))", second.snapshot).printed)

    @unittest.skipUnless(HAS_NUMPY, "no numpy here")
    def test_array_that_was_broadcast_is_kept_in_silence(self) -> None:
        first = run_step("import numpy as np, warnings\nwarnings.simplefilter('error')\nx, y = np.broadcast_arrays(np.arange(3), np.arange(2)[:, None])")
        self.assertEqual((b"", []), (first.stderr, first.losses()))
        self.assertEqual("[[0, 1, 2], [0, 1, 2]]", run_step("x.tolist()", first.snapshot).text("value.text"))

    @unittest.skipUnless(HAS_NUMPY, "no numpy here")
    def test_one_element_of_a_large_array_costs_one_piece(self) -> None:
        first = run_step("import numpy as np\na = np.zeros(4_000_000); b = a[5:]")
        for streamed in (False, True):
            second = run_step("a[1_000_000] = 1", first.snapshot, step=2, streamed=streamed)
            self.assertLess(second.new_bytes - PIECE_BYTES, 2000)
            third = run_step("a[1_000_000] = 1; a[3] = 0", second.snapshot, step=3, streamed=streamed)
            self.assertLess(third.new_bytes, 2000, "written, but with what was there")
            self.assertEqual("1.0 1.0", run_step("print(a.sum(), b[999_995])", third.snapshot).printed)

    @unittest.skipUnless(HAS_NUMPY, "no numpy here")
    def test_memory_that_step_code_maps_over_is_not_trusted(self) -> None:
        first = run_step("import numpy as np\na = np.zeros(1_000_000)")
        source = (
            "import ctypes, numpy as np\nlibc = ctypes.CDLL(None)\nlibc.mmap.restype = ctypes.c_void_p\n"
            "libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]\n"
            "open('/tmp/stepwell-over', 'wb').write(np.ones(1_000_000).tobytes())\nf = open('/tmp/stepwell-over', 'rb')\n"
            "libc.mmap(a.ctypes.data, 8_000_000, 3, 0x12, f.fileno(), 0)\nf.close(); del f, libc, ctypes"
        )
        second = run_step(source, first.snapshot, step=2)
        self.assertEqual("1000000.0", run_step("import os\nos.remove('/tmp/stepwell-over')\nprint(a.sum())", second.snapshot).printed)

    def test_many_small_changes_leave_few_pieces(self) -> None:
        snapshot: Snapshot | None = None
        for number in range(1, 25):
            source = f"v{number} = ['{number}' * 300]\ndef f{number}(): return {number}"
            snapshot = run_step(source, snapshot, step=number, first_process=False).snapshot
        assert snapshot is not None
        self.assertLess(len(snapshot.pieces), 8)
        self.assertEqual("24 1", run_step("print(f24(), f1())", snapshot).printed)

    def test_old_classes_go_with_their_last_instance(self) -> None:
        steps = ["class A: v = 1\na = A()\nclass B(A): pass\nb = B()", "class A: v = 2\nclass B: pass", "x = 1", "print(a.v, b.v)\ndel a", "del b", "x = 2", "c = A()"]
        program = compile_program(changes=TINY)
        snapshots = [result.snapshot for result in run_session(steps, program=program, first_process=False)]
        tables = [marshal.loads(snapshot.body[4:])["components"] for snapshot in snapshots if snapshot]
        keys = [sorted(key for parts in table.values() for key in parts[1]) for table in tables]
        self.assertEqual(["A#1", "A#2", "B#1", "B#2"], keys[2])
        self.assertEqual(["A#1", "A#2", "B#1", "B#2"], keys[3], "b is still one of them")
        self.assertEqual(["A#2", "B#2"], keys[-1])

    def test_runner_says_whether_pieces_can_be_placed(self) -> None:
        with Runner() as runner:
            self.assertEqual([b"1"], runner.ready["places"])
        elsewhere = compile_program(changes={"step_process": [("/here", "/nowhere")]})
        with Runner(program=elsewhere) as runner:
            self.assertEqual([b"0"], runner.ready["places"])

    def test_forks_of_one_state_go_their_own_ways(self) -> None:
        first = run_step("l = [1]; m = l")
        left = run_step("l.append(2)", first.snapshot, step=2)
        right = run_step("l.append(3)", first.snapshot, step=2)
        outputs = [run_step("print(l, m is l)", result.snapshot, step=3).printed for result in (first, left, right)]
        self.assertEqual(["[1] True", "[1, 2] True", "[1, 3] True"], outputs)

    def test_globals_is_an_exact_dict_under_the_net(self) -> None:
        first = run_step("big = list(range(300_000)); n = 1")
        second = run_step("import sys\nprint(type((lambda: n).__globals__) is dict, type(sys.modules['__main__']).__name__)", first.snapshot)
        self.assertEqual("True module", second.printed)

    def test_words_in_messages_load_nothing(self) -> None:
        first = run_step("big = list(range(300_000)); small = [1]\ndef say(): print('inspect modules, query the stack, fork')")
        second = run_step("say()\nprint('vars of globals', small)", first.snapshot)
        self.assertEqual("inspect modules, query the stack, fork\nvars of globals [1]", second.printed)
        self.assertEqual(1, len(second.store.needed), "nothing was asked for")

    def test_five_thousand_variables(self) -> None:
        for value in ("i", "[i]"):
            first = run_step(f"for i in range(5000): globals()[f'v{{i}}'] = {value}")
            second = run_step("v77 = 1", first.snapshot, step=2)
            self.assertLess(second.new_bytes, 1024, f"{value}: the others' pieces are stored once")
            self.assertEqual([], second.losses())
            self.assertEqual("4999 1", run_step("print(sum(v is not None for n, v in globals().items() if n[0] == 'v') - 1, v77)", second.snapshot).printed)


class FailureTest(unittest.TestCase):
    def test_pieces_that_are_gone_cost_their_names_for_this_step_alone(self) -> None:
        first = run_step("big = list(range(300_000)); small = [1]")
        assert first.snapshot is not None
        with Runner() as runner:
            runner.begin("print(small)\nbig", first.snapshot, step=2)
            runner.store.answer = lambda need: ([("gone", "the shelf is empty")], b"")  # type: ignore[method-assign]
            second = runner.finish()
        self.assertEqual(("[1]", "NameError"), (second.printed, second.text("exception.name")))
        self.assertIn("the shelf is empty", second.text("exception.traceback") or "")
        self.assertEqual(["big"], [loss["name"] for loss in second.losses()])
        third = run_step("print(len(big), small)", second.snapshot, step=3)
        self.assertEqual(("300000 [1]", []), (third.printed, third.losses()))

    def test_component_that_fails_to_load_is_told_once_and_stays(self) -> None:
        fails = "class Bad:\n    def __reduce__(self): return (open, ('/workspace/there',))\nbad = Bad(); x = [1]"
        program = compile_program(changes=TINY)
        results = run_session([fails, "print(x)\nbad", "print(x)\nbad", "x = 2"], program=program)
        self.assertEqual([[], ["bad"], [], []], [[loss["name"] for loss in result.losses()] for result in results])
        self.assertIn("No such file", results[1].text("exception.traceback") or "")
        self.assertEqual("3", run_step("bad = 3\nprint(bad)", results[-1].snapshot, program=program).printed)

    def test_forked_process_that_needs_more_is_told_so(self) -> None:
        source = "f.__code__ = compile(''.join(['bi', 'g']), 'x', ''.join(['ev', 'al']))\nimport posix as p\npid = getattr(p, ''.join(['fo', 'rk']))()\ntry: f()\nexcept RuntimeError as e: print(e)\nif pid: p.waitpid(pid, 0)"
        first = run_step("big = list(range(300_000))\ndef f(): pass")
        result = run_step(source, first.snapshot)
        self.assertEqual("a forked process can't load a variable that its parent had not used before", result.printed)
        self.assertEqual("completed", result.text("ending"))

    def test_junk_in_the_channel_ends_no_other_way(self) -> None:
        first = run_step("big = list(range(300_000))\ndef f(): pass")
        result = run_step("import os\nos.write(802, b'N\\0\\0\\0\\4\\0\\0\\0c')\nbi = big", first.snapshot)
        self.assertIn(result.text("ending"), ("completed", "exception", None))
        self.assertEqual("Z", result.order[-1])


class CapsTest(unittest.TestCase):
    def test_new_bytes(self) -> None:
        first = run_step("a = [1]; b = 'x' * 500_000")
        second = run_step("b = 'y' * 500_000; a.append(2)", first.snapshot, step=2, newBytes=100_000)
        self.assertEqual([("b", "b")], [(loss["name"], loss["path"]) for loss in second.losses()])
        self.assertIn("what a step adds to the state is limited to 100000 bytes", second.losses()[0]["reason"])
        third = run_step("print(a)\nb", second.snapshot, step=3)
        self.assertEqual(("[1, 2]", "NameError"), (third.printed, third.text("exception.name")))
        self.assertIn("over the cap", third.text("exception.traceback") or "")

    def test_components_and_table(self) -> None:
        source = "for i in range(300): globals()[f'v{i}'] = [i] * i"
        first = run_step(source, components=100)
        self.assertEqual(("101", 200), (first.text("kept"), len(first.losses())))
        second = run_step(source, manifestBytes=20_000)
        assert second.snapshot is not None
        self.assertLessEqual(len(second.snapshot.body), 20_000)
        self.assertIn("table of variables", second.losses()[0]["reason"])

    def test_strict_step_leaves_all_or_nothing(self) -> None:
        first = run_step("a = [1]", strict=1)
        self.assertIsNotNone(first.snapshot)
        second = run_step("a.append(2); g = (lambda: (yield))()", first.snapshot, step=2, strict=1)
        self.assertIsNone(second.snapshot)
        self.assertIn("g is builtins.generator", second.text("failed") or "")

    def test_reseeded_step_draws_other_numbers(self) -> None:
        first = run_step("import random\nrandom.seed(1)")
        draw = "import random\nprint(random.random())"
        plain = {run_step(draw, first.snapshot).printed for _ in range(2)}
        fresh = {run_step(draw, first.snapshot, reseed=1).printed for _ in range(2)}
        self.assertEqual((1, 2, 3), (len(plain), len(fresh), len(plain | fresh)))


class DepthTest(unittest.TestCase):
    def test_long_chain_of_objects(self) -> None:
        make = "class N:\n    def __init__(self, n): self.n = n\nc = None\nfor i in range(100_000): c = N(c)"
        first, second = run_session([make, "k = 0\nwhile c: c = c.n; k += 1\nprint(k)"])
        if first.losses():
            # From 3.12 on the depth of C code is bounded by the interpreter's build.
            self.assertEqual(["c"], [loss["name"] for loss in first.losses()])
        else:
            self.assertEqual("100000", second.printed)


if __name__ == "__main__":
    unittest.main()
