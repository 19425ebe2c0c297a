"""What one step tells: its value, its errors, its output, its end."""
import unittest

from driver import Runner, run_session, run_step


class ValueTest(unittest.TestCase):
    def test_last_expression_is_the_value(self) -> None:
        result = run_step("x = [1]\nx")
        self.assertEqual(("[1]", "builtins.list"), (result.text("value.text"), result.text("value.type")))

    def test_none_and_statements_are_no_value(self) -> None:
        for source in ("None", "x = 1", "print(1)", "", "# only a comment"):
            with self.subTest(source):
                self.assertIsNone(run_step(source).text("value.text"))

    def test_text_is_cut_between_characters(self) -> None:
        result = run_step("class A:\n    def __repr__(self): return 'é' * 10**6\nA()")
        text = result.text("value.text")
        assert text is not None
        self.assertEqual("é" * (32 << 10), text)

    def test_repr_that_fails_is_the_steps_exception(self) -> None:
        result = run_step("class A:\n    def __repr__(self): raise KeyError('r')\nA()")
        self.assertEqual("KeyError", result.text("exception.name"))
        self.assertNotIn("stepwell", result.text("exception.traceback") or "")

    def test_richer_forms_are_told(self) -> None:
        result = run_step(
            "class A:\n    def _repr_html_(self): return '<b>'\n    def _repr_png_(self): return b'png'\n"
            "    def _repr_json_(self): return {'a': 1}\n    def _repr_svg_(self): raise ValueError\nA()"
        )
        forms = {mime: result.text(f"value.mime.{mime}") for mime in ("text/html", "image/png", "application/json", "image/svg+xml")}
        self.assertEqual({"text/html": "<b>", "image/png": "cG5n", "application/json": '{"a": 1}', "image/svg+xml": None}, forms)


class FailureTest(unittest.TestCase):
    def assert_traceback(self, source: str, *lines: str) -> None:
        """The traceback is exactly what Python prints for a file of this name."""
        traceback = run_step(source).text("exception.traceback") or ""
        self.assertNotIn("/stepwell/", traceback)
        for line in lines:
            self.assertIn(line, traceback)

    def test_syntax_error_has_line_and_caret(self) -> None:
        result = run_step("x = 1\ny = = 2")
        self.assertEqual("SyntaxError", result.text("exception.name"))
        self.assertEqual(2, result.number("exception.line"))
        self.assertEqual(
            '  File "/session/step-1.py", line 2\n    y = = 2\n        ^\nSyntaxError: invalid syntax\n',
            result.text("exception.traceback"),
        )

    def test_syntax_error_of_the_second_pass_shows_its_line(self) -> None:
        self.assert_traceback("x = 1\nreturn 3", "line 2", "return 3", "'return' outside function")

    def test_chained_and_grouped_exceptions_show_no_frame_of_the_runner(self) -> None:
        self.assert_traceback(
            "def f(): 1 / 0\ntry: f()\nexcept Exception as e: raise ValueError('v') from e", "ZeroDivisionError", "direct cause", "ValueError: v"
        )
        self.assert_traceback("raise ExceptionGroup('g', [ValueError(1), KeyError('k')])", "ExceptionGroup: g (2 sub-exceptions)", "KeyError: 'k'")

    def test_notes_and_deep_recursion_are_shown(self) -> None:
        self.assert_traceback("e = ValueError('x'); e.add_note('a note'); raise e", "ValueError: x", "a note")
        self.assert_traceback("def f(): f()\nf()", "RecursionError", "Previous line repeated")

    def test_lines_of_earlier_steps_are_shown(self) -> None:
        results = run_session(["def f():\n    raise KeyError('old')  # here", "x = 1", "f()"])
        self.assertIn("raise KeyError('old')  # here", results[-1].text("exception.traceback") or "")
        self.assertEqual(1, results[-1].number("exception.line"))

    def test_str_that_fails_leaves_a_message(self) -> None:
        result = run_step("class E(Exception):\n    def __str__(self): raise KeyError\nraise E")
        self.assertEqual("E", result.text("exception.name"))
        self.assertIn("__str__ failed", result.text("exception.message") or "")

    def test_huge_message_is_bounded(self) -> None:
        result = run_step("raise ValueError('x' * 10**7)")
        self.assertLess(len(result.text("exception.traceback") or ""), 70_000)
        self.assertEqual("completed", run_step("1").text("ending"))

    def test_replaced_hooks_change_nothing(self) -> None:
        result = run_step("import sys\nsys.excepthook = sys.displayhook = None\nsys.settrace(lambda *a: None)\n1/0")
        self.assertEqual("ZeroDivisionError", result.text("exception.name"))

    def test_limits_are_recognized(self) -> None:
        cases = {
            "x = bytearray(1 << 40)": "memory",
            "import errno; raise OSError(errno.ENOSPC, 'full')": "disk",
            "raise RuntimeError(\"can't start new thread\")": "processes",
            "import errno; raise BlockingIOError(errno.EAGAIN, 'again')": None,
        }
        for source, limit in cases.items():
            with self.subTest(source):
                result = run_step(source, memoryBytes=256 << 20)
                self.assertEqual(limit, result.text("limit"))
                self.assertEqual(limit is not None, result.snapshot is None)


class ExitTest(unittest.TestCase):
    def test_codes_are_as_the_interpreter_has_them(self) -> None:
        for argument, code in (("", 0), ("None", 0), ("3", 3), ("True", 1), ("256 + 7", 7), ("'text'", 1)):
            with self.subTest(argument):
                result = run_step(f"import sys; sys.exit({argument})")
                self.assertEqual(("exit", code, code), (result.text("ending"), result.number("exitCode"), int(result.end["exitCode"][0])))
                self.assertEqual(b"text\n" if argument == "'text'" else b"", result.stderr)

    def test_hard_ends_have_no_verdict(self) -> None:
        cases = {"os._exit(7)": ("exitCode", 7), "os.kill(os.getpid(), 9)": ("signal", 9), "os.abort()": ("signal", 6)}
        for source, (how, number) in cases.items():
            with self.subTest(source):
                result = run_step(f"import os\nprint('before', flush=True)\n{source}")
                self.assertEqual({}, result.verdict)
                self.assertEqual(number, result.number(how))
                self.assertEqual("before", result.printed)
                self.assertIsNone(result.snapshot)


class StreamsTest(unittest.TestCase):
    def test_stdin_is_read(self) -> None:
        self.assertEqual("A b", run_step("print(input().upper(), input())", stdin="a\nb\n").printed)
        self.assertEqual("''", run_step("import sys; print(repr(sys.stdin.read()))").printed)
        self.assertEqual("EOFError", run_step("input()").text("exception.name"))

    def test_large_stdin_is_read(self) -> None:
        result = run_step("import sys; print(len(sys.stdin.read()))", stdin=b"x" * (3 << 20))
        self.assertEqual(str(3 << 20), result.printed)

    def test_any_text_can_be_printed(self) -> None:
        result = run_step("import os\nprint('é\\ud800\\x00\\u2028', flush=True)\nos.write(1, b'\\xff\\xfe')")
        self.assertEqual("é\\ud800\x00\u2028\n".encode() + b"\xff\xfe", result.stdout)

    def test_lines_come_while_the_step_runs(self) -> None:
        seen = []

        def on_frame(runner: Runner, kind: bytes, payload: bytes) -> None:
            if kind == b"O":
                seen.append(payload)
                runner.kill()

        result = run_step("print('early')\nimport time\ntime.sleep(600)", on_frame=on_frame)
        self.assertEqual([b"early\n"], seen)
        self.assertEqual((1, 9), (result.number("killed"), result.number("signal")))

    def test_output_beyond_the_limit_is_counted(self) -> None:
        result = run_step("import os\nfor _ in range(5): os.write(1, b'x' * 1000)\nos.write(2, b'y' * 10)", outputBytes=1500)
        self.assertEqual((b"x" * 1500, b"y" * 10), (result.stdout, result.stderr))
        self.assertEqual((3500, 0), (result.number("stdoutDropped"), result.number("stderrDropped")))

    def test_unflushed_output_is_told(self) -> None:
        self.assertEqual("no newline", run_step("print('no newline', end='')").printed)


class EnvironmentTest(unittest.TestCase):
    def test_variables_and_arguments(self) -> None:
        result = run_step("import os, sys\nprint(os.environ['A'], 'PYTHONHASHSEED' in os.environ, sys.argv)", env={"A": "é"})
        self.assertEqual("é False ['']", result.printed)

    def test_main_module_is_the_sessions(self) -> None:
        result = run_step("import sys\nprint(sys.modules['__main__'].__dict__ is globals(), type(globals()) is dict, __name__)")
        self.assertEqual("True True __main__", result.printed)

    def test_imports_ahead_are_there_and_failures_are_told(self) -> None:
        with Runner(("decimal", "no_such_module")) as runner:
            self.assertIn(b"no_such_module: ModuleNotFoundError", runner.ready["importError"][0])
            runner.begin("import sys; print('decimal' in sys.modules)")
            self.assertEqual("True", runner.finish().printed)

    def test_random_streams_differ_between_sandboxes(self) -> None:
        numbers = {run_step("import random; print(random.random())", imports=("random",)).printed for _ in range(5)}
        self.assertEqual(5, len(numbers))


class ProgramTest(unittest.TestCase):
    def test_shell_runs_a_command_line(self) -> None:
        result = run_step("echo out; echo err >&2; cat; exit 3", kind="shell", stdin="in\n")
        self.assertEqual((b"out\nin\n", b"err\n", 3), (result.stdout, result.stderr, result.number("exitCode")))
        self.assertEqual(["A", "Z"], [kind for kind in result.order if kind not in "OE"])

    def test_argv_runs_a_program(self) -> None:
        self.assertEqual("a b $X", run_step(kind="argv", argv=("/bin/echo", "a b", "$X"), source="").printed)

    def test_program_that_is_not_there(self) -> None:
        result = run_step("", kind="argv", argv=("no-such-program",))
        self.assertEqual((127, b"no-such-program: not found\n"), (result.number("exitCode"), result.stderr))

    def test_program_that_is_not_executable(self) -> None:
        self.assertEqual(126, run_step("", kind="argv", argv=("/etc/passwd",)).number("exitCode"))

    def test_broken_pipe_ends_a_program_silently(self) -> None:
        self.assertEqual(b"", run_step("yes | head -c 1 > /dev/null", kind="shell").stderr)


if __name__ == "__main__":
    unittest.main()
