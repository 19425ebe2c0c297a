"""What a step shows while it runs."""
import base64
import importlib.util
import os
import subprocess
import unittest

from driver import PYTHON, Result, Runner, frames, run_session, run_step

PNG = b"\x89PNG\r\n\x1a\n"


def has_matplotlib() -> bool:
    """Whether the interpreter that runs steps has it."""
    if PYTHON == os.sys.executable:
        return importlib.util.find_spec("matplotlib") is not None
    return subprocess.run([PYTHON, "-c", "import matplotlib"], capture_output=True).returncode == 0


def texts(result: Result) -> list[str]:
    """The texts of all displays."""
    return [shown["text"][0].decode() for shown in result.displays]


def forms(result: Result, index: int = 0) -> dict[str, bytes]:
    """The forms of one display."""
    return {name[5:]: parts[0] for name, parts in result.displays[index].items() if name.startswith("mime.")}


class DisplayTest(unittest.TestCase):
    def test_objects_are_shown_in_their_order(self) -> None:
        result = run_step("import stepwell_step\nprint('a')\nstepwell_step.display([1], 'x')\nstepwell_step.display(2)\n3")
        self.assertEqual(["[1]", "'x'", "2"], texts(result))
        self.assertEqual([b"builtins.list", b"builtins.str", b"builtins.int"], [shown["type"][0] for shown in result.displays])
        self.assertEqual(("3", "a"), (result.text("value.text"), result.printed))
        self.assertLess(max(at for at, kind in enumerate(result.order) if kind == "G"), result.order.index("V"))

    def test_richer_forms_of_an_object_are_shown(self) -> None:
        result = run_step(
            "from stepwell_step import display\nclass A:\n    def __repr__(self): return 'an A'\n    def _repr_html_(self): return '<b>ü'\n"
            "    def _repr_png_(self): return b'png'\ndisplay(A())"
        )
        self.assertEqual(["an A"], texts(result))
        self.assertEqual({"text/html": "<b>ü".encode(), "image/png": b"cG5n"}, forms(result))

    def test_forms_can_be_given(self) -> None:
        result = run_step(
            "from stepwell_step import display\n"
            "display(mime={'text/html': '<i>', 'image/png': bytearray(b'png'), 'application/json': {'a': [1]}, 'text/plain': 'plain'})"
        )
        self.assertEqual({"text/html": b"<i>", "image/png": b"cG5n", "application/json": b'{"a": [1]}', "text/plain": b"plain"}, forms(result))
        self.assertEqual((["plain"], b""), (texts(result), result.displays[0]["type"][0]))

    def test_what_is_no_form_is_refused_by_name(self) -> None:
        cases = {
            "mime={'text/html': 5}": ("TypeError", "'text/html' is of type int"),
            "mime={'html': 'x'}": ("ValueError", "'html' is no media type"),
            "mime={'a/b c': 'x'}": ("ValueError", "'a/b c' is no media type"),
            "mime={5: 'x'}": ("TypeError", "must be a string"),
            "mime='x'": ("TypeError", "is of type str"),
            "1, mime={}": ("TypeError", "objects or mime, not both"),
        }
        for arguments, (name, message) in cases.items():
            with self.subTest(arguments):
                result = run_step(f"from stepwell_step import display\ndisplay({arguments})")
                self.assertEqual((name, []), (result.text("exception.name"), result.displays))
                self.assertIn(message, result.text("exception.message") or "")
                self.assertNotIn("/stepwell/", result.text("exception.traceback") or "")
                self.assertEqual(2, result.number("exception.line"))

    def test_repr_that_fails_is_the_steps_exception(self) -> None:
        result = run_step("from stepwell_step import display\nclass A:\n    def __repr__(self): 1 / 0\ndisplay(1)\ndisplay(A())")
        self.assertEqual((["1"], "ZeroDivisionError", 3), (texts(result), result.text("exception.name"), result.number("exception.line")))

    def test_displays_survive_however_the_step_ends(self) -> None:
        for end in ("1 / 0", "import sys; sys.exit(3)", "import os; os._exit(4)", "import os; os.kill(os.getpid(), 9)"):
            with self.subTest(end):
                self.assertEqual(["'early'"], texts(run_step(f"from stepwell_step import display\ndisplay('early')\n{end}")))

    def test_display_of_a_step_that_is_killed_is_told_before(self) -> None:
        def on_frame(runner: Runner, kind: bytes, payload: bytes) -> None:
            if kind == b"G":
                runner.kill()

        result = run_step("from stepwell_step import display\ndisplay('early')\nimport time\ntime.sleep(600)", on_frame=on_frame)
        self.assertEqual((["'early'"], 1), (texts(result), result.number("killed")))

    def test_prelude_can_show_things(self) -> None:
        self.assertEqual(["1", "2"], texts(run_step("display(2)", prelude="from stepwell_step import display\ndisplay(1)")))

    def test_threads_can_show_things_until_the_source_ends(self) -> None:
        source = (
            "import threading, time\nfrom stepwell_step import display\n"
            "def show():\n    for i in range(5): display('x' * 600_000)\n"
            "threads = [threading.Thread(target=show) for _ in range(4)]\n[t.start() for t in threads]; [t.join() for t in threads]\n"
            "class Late:\n    def __reduce__(self):\n        display('too late')\n        return (int, ())\nlate = Late()\n7"
        )
        result = run_step(source)
        self.assertEqual((20, "7"), (len(texts(result)), result.text("value.text")))
        self.assertEqual({"'" + "x" * 65_535, ""}, {text for text in texts(result) if not text or len(text) == 65_536})
        self.assertIsNotNone(result.snapshot)

    def test_forked_process_shows_nothing(self) -> None:
        result = run_step("import os\nfrom stepwell_step import display\npid = os.fork()\ndisplay(pid)\nif pid: os.waitpid(pid, 0)\n5")
        self.assertEqual((1, "5"), (len(result.displays), result.text("value.text")))

    def test_handler_of_a_signal_does_not_break_a_display(self) -> None:
        source = (
            "import signal\nfrom stepwell_step import display\ndef stop(*unused): raise TimeoutError\nsignal.signal(14, stop)\n"
            "for i in range(200):\n    try:\n        signal.setitimer(signal.ITIMER_REAL, 0.0002 * (i % 7) + 0.0001)\n"
            "        while True: display(mime={'a/b': 'x' * 100_000})\n    except TimeoutError: pass\n8"
        )
        result = run_step(source)
        self.assertEqual("8", result.text("value.text"))
        self.assertLessEqual(len(result.displays), 100)


class LimitTest(unittest.TestCase):
    def test_displays_beyond_the_hundredth_are_left_out(self) -> None:
        result = run_step("from stepwell_step import display\nfor i in range(105): display(i)\n9")
        self.assertEqual(([str(number) for number in range(100)], "9"), (texts(result), result.text("value.text")))
        self.assertEqual(1, result.stderr.count(b"a step can show 100 things"))

    def test_forms_beyond_four_mebibytes_are_left_out(self) -> None:
        source = (
            "from stepwell_step import display\n"
            "display(mime={'a/1': 'x' * (4 << 20)})\ndisplay(mime={'a/2': 'x' * (3 << 20), 'a/3': 'y' * (2 << 20), 'a/4': 'z'})\n"
            "display('text')"
        )
        result = run_step(source)
        self.assertEqual([{}, {"a/2": 3 << 20, "a/4": 1}, {}], [{name: len(form) for name, form in forms(result, at).items()} for at in range(3)])
        self.assertEqual("'text'", texts(result)[2])

    def test_limit_is_exact(self) -> None:
        for size, shown in ((4 << 20, True), ((4 << 20) + 1, False)):
            form = size - len("a/b") - 16
            result = run_step(f"from stepwell_step import display\ndisplay(mime={{'a/b': 'x' * {form}}})")
            self.assertEqual({"a/b": form} if shown else {}, {name: len(part) for name, part in forms(result).items()})

    def test_texts_are_cut(self) -> None:
        result = run_step("from stepwell_step import display\nfor _ in range(20): display('x' * 10**6)")
        sizes = [len(shown["text"][0]) for shown in result.displays]
        self.assertEqual([64 << 10] * 16 + [0] * 4, sizes)


class HostileTest(unittest.TestCase):
    def forged(self, frame: bytes, times: int = 1) -> Result:
        return run_step(f"import os\ntry:\n    for _ in range({times}): os.write(802, {frame!r})\nexcept BrokenPipeError: pass\nos._exit(4)")

    def test_forged_display_is_a_display(self) -> None:
        frame = frames.frame(b"G", b"\3" + frames.encode([("text", "forged"), ("type", "x")]))
        self.assertEqual((["forged"], 4), (texts(self.forged(frame)), self.forged(frame).number("exitCode")))

    def test_flood_is_cut_off_and_the_end_is_told(self) -> None:
        for payload, most in ((b"", 0), (b"\0", 1536), (bytes(1 << 19), 12)):
            result = self.forged(frames.frame(b"G", payload), 3000 if most > 100 else 20)
            self.assertEqual((most, 4), (result.order.count("G"), result.number("exitCode")))

    def test_display_after_the_verdict_is_out_of_turn(self) -> None:
        frame = frames.frame(b"G", b"\3" + frames.encode([("text", "late"), ("type", "x")]))
        result = run_step(f"import os\nclass Late:\n    def __reduce__(self):\n        os.write(802, {frame!r})\n        return (int, ())\nlate = Late()\n5")
        self.assertEqual(([], "5"), (result.displays, result.text("value.text")))

    def test_module_is_there_whatever_became_of_the_tables(self) -> None:
        result = run_step("import sys\nsys.modules.pop('stepwell_step', None)\nimport stepwell_step\ndel sys.modules['stepwell_step']\nimport stepwell_step as other\nother is stepwell_step")
        self.assertEqual("True", result.text("value.text"))


class StateTest(unittest.TestCase):
    def test_module_and_function_are_kept_by_name(self) -> None:
        results = run_session(
            [
                "import stepwell_step, sys\nfrom stepwell_step import display as d\nd(1)\nbox = [d]\nsys.modules.clear()",
                "d(2); box[0](3); stepwell_step.display(4)\nimport stepwell_step as again\n(d is again.display, again is stepwell_step, d.__module__)",
                "d(5)",
            ]
        )
        self.assertEqual([["1"], ["2", "3", "4"], ["5"]], [texts(result) for result in results])
        self.assertEqual("(True, True, 'stepwell_step')", results[1].text("value.text"))
        self.assertEqual([[], [], []], [result.losses() for result in results])
        # By name it is short: none of its code, nor of the runner's, is in the state.
        self.assertNotIn(b"claimant", results[2].snapshot.body + b"".join(results[2].snapshot.pieces))

    def test_session_without_displays_knows_nothing_of_them(self) -> None:
        result = run_step("x = [1]")
        self.assertNotIn(b"stepwell_step", result.snapshot.body + b"".join(result.snapshot.pieces))


@unittest.skipUnless(has_matplotlib(), "the interpreter has no matplotlib")
class FigureTest(unittest.TestCase):
    def assert_png(self, form: bytes) -> None:
        self.assertEqual(PNG, base64.b64decode(form)[: len(PNG)])

    def test_show_shows_and_closes_all_open_figures(self) -> None:
        source = (
            "import matplotlib.pyplot as plt\nplt.figure(7); plt.plot([1, 2])\nplt.figure(3); plt.title('t')\nplt.show()\n"
            "print(plt.get_fignums())\nplt.show()"
        )
        for imports in ((), ("matplotlib.pyplot",), ("matplotlib",)):
            with self.subTest(imports):
                result = run_step(source, imports=imports, memoryBytes=1 << 30)
                self.assertEqual(["<Figure size 640x480 with 1 Axes>"] * 2, texts(result), result.stderr)
                self.assertEqual(b"matplotlib.figure.Figure", result.displays[0]["type"][0])
                for index in (0, 1):
                    self.assertEqual(["image/png"], list(forms(result, index)))
                    self.assert_png(forms(result, index)["image/png"])
                self.assertEqual(("[]", b"", None), (result.printed, result.stderr, result.text("value.text")))

    def test_show_by_whatever_name(self) -> None:
        for source in (
            "from matplotlib.pyplot import *\nplot([1])\nshow(block=True)",
            "import matplotlib\nmatplotlib.use('Agg')\nfrom matplotlib import pyplot\npyplot.plot([1])\npyplot.show()",
            "from pylab import *\nplot([1])\nshow()",
            "import importlib, matplotlib.pyplot as plt\nimportlib.reload(plt)\nplt.plot([1])\nplt.show()",
        ):
            with self.subTest(source):
                result = run_step(source)
                self.assertEqual((["<Figure size 640x480 with 1 Axes>"], b""), (texts(result), result.stderr))

    def test_figure_is_a_value_with_a_picture(self) -> None:
        for source in ("import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nfig", "from matplotlib.figure import Figure\nFigure()"):
            result = run_step(source)
            self.assert_png((result.text("value.mime.image/png") or "").encode())
            self.assertEqual([], result.displays)

    def test_figure_that_is_shown_as_an_object_stays_open(self) -> None:
        result = run_step("import matplotlib.pyplot as plt\nfrom stepwell_step import display\nfig = plt.figure(4)\ndisplay(fig)\nplt.get_fignums()")
        self.assert_png(forms(result)["image/png"])
        self.assertEqual("[4]", result.text("value.text"))

    def test_hook_is_the_same_in_every_step_and_no_part_of_the_state(self) -> None:
        results = run_session(
            [
                "import matplotlib.pyplot as plt\nfrom matplotlib.pyplot import show\nplt.plot([1])",
                "show()",
                "plt.plot([2]); plt.show()\nshow is plt.show",
                "seen = []\nreal = plt.show\ndef mine(*args, **named):\n    seen.append(1)\n    return real(*args, **named)\nplt.show = mine\nplt.plot([3]); plt.show()",
                "plt.plot([4]); plt.show()\nplt.show = real\nseen",
                "plt.plot([5]); plt.show()\n(seen, plt.show is real)",
            ]
        )
        self.assertEqual([0, 1, 1, 1, 1, 1], [len(result.displays) for result in results])
        self.assertEqual("True", results[2].text("value.text"))
        self.assertEqual("[1, 1]", results[4].text("value.text"))
        self.assertEqual("([1, 1], True)", results[5].text("value.text"))
        self.assertEqual([[]] * 6, [result.losses() for result in results])
        self.assertEqual([b""] * 6, [result.stderr for result in results])

    def test_drawing_that_fails_is_the_steps_exception(self) -> None:
        result = run_step("import matplotlib.pyplot as plt\nplt.plot([1])\nplt.title('$\\\\nonsense$')\nplt.show()")
        self.assertEqual("ValueError", result.text("exception.name"))
        self.assertIn('"/session/step-1.py", line 4', result.text("exception.traceback") or "")

    def test_children_are_none_of_it(self) -> None:
        child = "import matplotlib.pyplot as plt; print(plt.show.__module__); import importlib.util; print(importlib.util.find_spec('stepwell_step'))"
        result = run_step(f"import matplotlib.pyplot, subprocess, sys\nprint(subprocess.run([sys.executable, '-c', {child!r}], capture_output=True, text=True).stdout)")
        self.assertEqual("matplotlib.pyplot\nNone", result.printed)
        self.assertNotIn("MPLBACKEND", run_step("import matplotlib.pyplot, os\nprint(dict(os.environ))").printed)


if __name__ == "__main__":
    unittest.main()
