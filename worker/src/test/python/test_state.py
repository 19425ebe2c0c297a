"""State between steps, held against one live interpreter."""
import json
import os
import subprocess
import unittest

import fuzz
from driver import PYTHON, WORKSPACE, compile_program, run_session
from oracle import fresh_workspace, live
from scenarios import SCENARIOS
from scenarios_reach import NUMPY_SCENARIOS, PANDAS_SCENARIOS, REACH_SCENARIOS

# Of the shared file: a thread that goes on running, and standard output that was replaced around each live step.
NOT_KEPT = ("32", "61")
# What must be noticed, and by which scenario: changes to the runner that make it wrong.
MUTANTS = {
    "components are not merged": ("aliases_and_shared_parts", {"drafts": [("groups = _sharing(self.all) or ", "groups = ")]}),
    "words of functions are not followed": (
        "deleted_by_a_function",
        {"products": [("self.words = join(pickler.words)", 'self.words = ""')]},
    ),
    "keys are names": (
        "class_executed_again_while_its_instance_sleeps",
        {"saving": [('key = f"{name}#{self._step}"', "key = name"), ("while key in self._loader.objects or", "while False and")]},
    ),
    "there is no net": ("code_made_at_run_time", {"session": [("net.place(loader)", "pass")]}),
    "nameless classes are dropped": (
        "old_function_needed_by_a_sleeping_container",
        {"saving": [("self._add_nameless(carried)", "pass")]},
    ),
    "order of names is the order of loading": ("order_of_names_after_deletion", {"net": [("loader.namespace[_MARK] = None", "pass")]}),
}
NUMPY_MUTANTS = {
    "written pages are ignored": (
        "large_array_written_here_and_there",
        {"mapping": [("return [1 not in written[at : at + each]", "return [True")]},
    ),
    "views are copies": ("view_and_owner", {"by_value": [('    "numpy.ndarray": arrays.reduce_array,\n', "")]}),
}


def _has(*modules: str) -> bool:
    command = [PYTHON, "-c", "import " + ", ".join(modules)]
    return subprocess.run(command, capture_output=True).returncode == 0


HAS_NUMPY = _has("numpy")
HAS_PANDAS = HAS_NUMPY and _has("pandas", "matplotlib", "sklearn")


def placed(steps: list[str]) -> list[str]:
    """A scenario in the workspace of these tests."""
    return [source.replace("/workspace", str(WORKSPACE)) for source in steps]


class ScenarioTest(unittest.TestCase):
    """Every step of a scenario prints what the live interpreter prints, and nothing is lost."""

    def check(self, scenarios: dict[str, list[str]], program: bytes, **options: object) -> None:
        for name, steps in scenarios.items():
            with self.subTest(name):
                steps = placed(steps)
                expected = live(steps)
                fresh_workspace()
                results = run_session(steps, program=program, first_process=False, **options)
                told = [(result.text("exception.traceback"), result.text("failed")) for result in results]
                self.assertEqual(expected, [printed(result) for result in results], told)
                self.assertEqual([], [loss for result in results for loss in result.losses()])
                self.assertEqual(b"", b"".join(result.stderr for result in results))

    def test_small_sessions(self) -> None:
        self.check(SCENARIOS, compile_program())

    def test_sessions_of_which_nothing_is_loaded_that_is_not_reached(self) -> None:
        self.check(SCENARIOS | REACH_SCENARIOS, compile_program(changes=fuzz.TINY))

    def test_pieces_that_come_through_the_channel(self) -> None:
        self.check(REACH_SCENARIOS, compile_program(changes=fuzz.TINY), streamed=True)

    @unittest.skipUnless(HAS_NUMPY, "no numpy here")
    def test_arrays(self) -> None:
        self.check(NUMPY_SCENARIOS, compile_program())
        self.check(NUMPY_SCENARIOS, compile_program(changes=fuzz.TINY), streamed=True)

    @unittest.skipUnless(HAS_NUMPY, "no numpy here")
    def test_arrays_where_the_page_map_is_no_help(self) -> None:
        unreadable = {"mapping": [('"/proc/self/pagemap"', '"/proc/self/none"')]}
        self.check(NUMPY_SCENARIOS, compile_program(changes=unreadable))
        untrue = {"mapping": [("if state & 0xC0 and not state & 0x20 else 0", "if False else 0")]}
        self.check(NUMPY_SCENARIOS, compile_program(changes=untrue))

    @unittest.skipUnless(HAS_PANDAS, "no pandas, matplotlib and sklearn here")
    def test_frames_figures_and_models(self) -> None:
        self.check(PANDAS_SCENARIOS, compile_program(changes=fuzz.TINY))

    def test_shared_scenarios_print_what_is_expected(self) -> None:
        path = os.environ.get("STEPWELL_SCENARIOS")
        if path is None:
            self.skipTest("STEPWELL_SCENARIOS names no file of scenarios")
        with open(path, encoding="utf-8") as file:
            scenarios = json.load(file)
        for scenario in scenarios:
            if scenario["id"] not in NOT_KEPT and (HAS_PANDAS or "import numpy" not in str(scenario["steps"])):
                with self.subTest(scenario["id"] + " " + scenario["name"]):
                    fresh_workspace()
                    self.assertEqual(scenario["expected"], run_session(placed(scenario["steps"]))[-1].printed)


def printed(result) -> str:
    """What a step printed, and what it raised."""
    raised = result.text("exception.name") or ("SystemExit" if result.text("ending") == "exit" else None)
    return "\n".join(part for part in (result.printed, f"raised {raised}" if raised else "") if part)


class FuzzTest(unittest.TestCase):
    """A few random programs; ``fuzz.py`` runs as many as one likes."""

    def test_random_programs(self) -> None:
        seed = int.from_bytes(os.urandom(3), "big")
        self.assertEqual([], fuzz.differences(seed, 4, 8, False))

    @unittest.skipUnless(HAS_NUMPY, "no numpy here")
    def test_random_programs_with_arrays(self) -> None:
        seed = int.from_bytes(os.urandom(3), "big")
        # Not repeated: where an object's id was used again, a step may number its components otherwise than before.
        self.assertEqual([], fuzz.differences(seed, 2, 8, True, repeat=False))


class MutantTest(unittest.TestCase):
    """The scenarios notice a runner that is wrong."""

    def check(self, mutants: dict[str, tuple], scenarios: dict[str, list[str]]) -> None:
        for name, (scenario, changes) in mutants.items():
            with self.subTest(name):
                changes = {module: fuzz.TINY.get(module, []) + changes.get(module, []) for module in {*fuzz.TINY, *changes}}
                steps = placed(scenarios[scenario])
                expected = live(steps)
                fresh_workspace()
                results = run_session(steps, program=compile_program(changes=changes), first_process=False)
                self.assertNotEqual(expected, [printed(result) for result in results])

    def test_mutants_are_noticed(self) -> None:
        self.check(MUTANTS, SCENARIOS | REACH_SCENARIOS)

    @unittest.skipUnless(HAS_NUMPY, "no numpy here")
    def test_mutants_of_arrays_are_noticed(self) -> None:
        self.check(NUMPY_MUTANTS, NUMPY_SCENARIOS)


if __name__ == "__main__":
    unittest.main()
