"""State between steps, held against one live interpreter."""
import json
import os
import subprocess
import unittest

from driver import PYTHON, run_session
from scenarios import SCENARIOS

# One process, one namespace, the steps in order; what the last one prints comes after the mark.
LIVE = r"""
import io, json, linecache, os, sys, types
steps = json.load(sys.stdin)
main = types.ModuleType("__main__")
sys.modules["__main__"] = main
flags = 0
for number, source in enumerate(steps, 1):
    name = f"/session/step-{number}.py"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    if number == len(steps):
        print("@@", flush=True)
    try:
        code = compile(source, name, "exec", flags, True)
        flags |= code.co_flags & 0x1FF0000
        exec(code, vars(main))
    except (Exception, SystemExit) as error:
        print("raised", type(error).__name__)
sys.stdout.flush()
os._exit(0)
"""
# Those of the shared file that a session must get right; the others need libraries or are told as lost.
REQUIRED = "01 03 04 06 07 08 09 10 12 13 14 15 16 18 19 34 50 70 72".split()


def live(steps: list[str]) -> str:
    """What one interpreter prints in the last step."""
    environment = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "HOME": "/tmp"}
    done = subprocess.run(
        [PYTHON, "-c", LIVE], input=json.dumps(steps), capture_output=True, text=True, cwd="/tmp", env=environment
    )
    return done.stdout.partition("@@\n")[2].strip()


class StateTest(unittest.TestCase):
    """Every scenario prints what the live interpreter prints."""

    def test_scenarios_print_what_a_live_interpreter_prints(self) -> None:
        for name, steps in SCENARIOS.items():
            with self.subTest(name):
                results = run_session(steps)
                last = results[-1]
                self.assertEqual(live(steps), last.printed, (last.text("exception.traceback"), last.text("restoreError")))
                self.assertEqual([], [loss for result in results for loss in result.losses()])

    def test_shared_scenarios_print_what_is_expected(self) -> None:
        path = os.environ.get("STEPWELL_SCENARIOS")
        if path is None:
            self.skipTest("STEPWELL_SCENARIOS names no file of scenarios")
        with open(path, encoding="utf-8") as file:
            scenarios = json.load(file)
        for scenario in scenarios:
            if scenario["id"] in REQUIRED:
                with self.subTest(scenario["id"] + " " + scenario["name"]):
                    self.assertEqual(scenario["expected"], run_session(scenario["steps"])[-1].printed)


if __name__ == "__main__":
    unittest.main()
