"""Preludes: what runs before a step's source, as part of the same step."""
import unittest

from driver import run_session, run_step


class PreludeTest(unittest.TestCase):
    def test_runs_before_the_source_in_its_namespace(self) -> None:
        result = run_step("x += 1\nprint('source')\nx", prelude="x = 41\nprint('prelude')\nx")
        self.assertEqual(("42", "prelude\nsource"), (result.text("value.text"), result.printed))

    def test_value_of_its_last_expression_is_not_told(self) -> None:
        self.assertIsNone(run_step("y = 2", prelude="1 + 1").text("value.text"))

    def test_what_it_defines_is_kept_like_any(self) -> None:
        first = run_step("shape = Shape(2)", prelude="class Shape:\n    def __init__(self, n): self.n = n\n    def area(self): return self.n ** 2")
        self.assertEqual("4", run_step("shape.area()", first.snapshot, step=2).text("value.text"))

    def test_variables_that_only_it_uses_are_loaded(self) -> None:
        # Enough of a session that not everything is loaded anyway.
        first = run_step("big = [{i: [i]} for i in range(100_000)]\nsmall = [5]")
        result = run_step("1", first.snapshot, step=2, prelude="big[7]['seen'] = small")
        self.assertEqual("1", result.text("value.text"))
        self.assertEqual("{7: [7], 'seen': [5]} True", run_step("print(big[7], big[7]['seen'] is small)", result.snapshot, step=3).printed)


class EndTest(unittest.TestCase):
    def test_exception_in_it_ends_the_step(self) -> None:
        result = run_step("print('source')", prelude="a = 1\nb = a / 0\n")
        self.assertEqual(("ZeroDivisionError", 2, ""), (result.text("exception.name"), result.number("exception.line"), result.printed))
        self.assertIn('File "/session/step-1-prelude.py", line 2, in <module>\n    b = a / 0', result.text("exception.traceback") or "")
        self.assertEqual("1", run_step("a", result.snapshot, step=2).text("value.text"))

    def test_exit_in_it_ends_the_step(self) -> None:
        result = run_step("print('source')", prelude="import sys; sys.exit(3)")
        self.assertEqual(("exit", 3, ""), (result.text("ending"), result.number("exitCode"), result.printed))

    def test_syntax_error_in_it_runs_nothing(self) -> None:
        result = run_step("print('source')", prelude="x = 1\ny = = 2")
        self.assertEqual(("SyntaxError", 2, ""), (result.text("exception.name"), result.number("exception.line"), result.printed))
        self.assertIn('File "/session/step-1-prelude.py", line 2\n    y = = 2', result.text("exception.traceback") or "")

    def test_syntax_error_in_the_source_comes_after_it(self) -> None:
        result = run_step("\n\ny = = 2", prelude="x = 1\nprint('prelude')")
        self.assertEqual(("SyntaxError", 3, "prelude"), (result.text("exception.name"), result.number("exception.line"), result.printed))
        traceback = result.text("exception.traceback") or ""
        self.assertTrue(traceback.startswith('  File "/session/step-1.py", line 3\n    y = = 2'), traceback)
        self.assertEqual("1", run_step("x", result.snapshot, step=2).text("value.text"))


class LinesTest(unittest.TestCase):
    def test_line_is_of_the_file_that_the_traceback_names_last(self) -> None:
        result = run_step("\n\nfail()", prelude="def fail():\n    raise KeyError('here')  # why")
        self.assertEqual(2, result.number("exception.line"))
        traceback = result.text("exception.traceback") or ""
        self.assertIn('"/session/step-1.py", line 3', traceback)
        self.assertIn('"/session/step-1-prelude.py", line 2, in fail\n    raise KeyError(\'here\')  # why', traceback)

    def test_lines_of_a_source_keep_their_numbers(self) -> None:
        result = run_step("a = 1\n1 / 0", prelude="# one\n# two\nb = 2")
        self.assertEqual(2, result.number("exception.line"))

    def test_lines_are_shown_in_later_steps(self) -> None:
        first = run_step("kept = 1", prelude="def fail():\n    raise KeyError('old')  # in the prelude")
        for prelude in ("", "other = 2"):
            result = run_step("\nfail()", first.snapshot, step=2, prelude=prelude)
            self.assertIn("raise KeyError('old')  # in the prelude", result.text("exception.traceback") or "")
            self.assertEqual(2, result.number("exception.line"))
        source = run_step("import inspect\nprint(inspect.getsource(fail))", first.snapshot, step=2).printed
        self.assertEqual("def fail():\n    raise KeyError('old')  # in the prelude", source)


class FutureTest(unittest.TestCase):
    ANNOTATED = "def f(x: nowhere): pass\nprint(f.__annotations__)"

    def test_imports_of_a_prelude_hold_for_it_alone(self) -> None:
        ahead = "from __future__ import annotations\n" + self.ANNOTATED
        first = run_step(self.ANNOTATED, prelude=ahead)
        self.assertEqual(("{'x': 'nowhere'}", "NameError"), (first.printed, first.text("exception.name")))
        self.assertEqual("NameError", run_step(self.ANNOTATED, first.snapshot, step=2).text("exception.name"))

    def test_imports_of_sources_do_not_hold_for_a_prelude(self) -> None:
        results = run_session(["from __future__ import annotations", self.ANNOTATED])
        self.assertEqual("{'x': 'nowhere'}", results[1].printed)
        result = run_step("1", results[0].snapshot, step=2, prelude=self.ANNOTATED)
        self.assertEqual(("NameError", "/session/step-2-prelude.py" in (result.text("exception.traceback") or "")), (result.text("exception.name"), True))


if __name__ == "__main__":
    unittest.main()
