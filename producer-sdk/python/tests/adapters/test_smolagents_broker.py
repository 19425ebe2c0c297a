"""The executor in real sandboxes: what smolagents' own remote executors do, and what they don't."""

from __future__ import annotations

import base64
import datetime
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import PIL.Image
import pytest

pytest.importorskip("smolagents")

from smolagents import Tool
from smolagents.default_tools import FinalAnswerTool
from smolagents.monitoring import AgentLogger, LogLevel
from smolagents.utils import AgentError

from adapters import smol_tools
from stepwell import SessionUnknownError, Stepwell
from stepwell.smolagents import (
    MissingPackagesError,
    StepError,
    StepwellExecutor,
    ToolRefusedError,
)
from stepwell.smolagents.final_answer import ANSWER_TYPE

pytestmark = pytest.mark.broker
QUIET = AgentLogger(LogLevel.OFF)


@pytest.fixture
def executor(client: Stepwell, data_profile: str) -> Iterator[StepwellExecutor]:
    with StepwellExecutor(["numpy", "pillow"], QUIET, client=client, profile=data_profile) as made:
        yield made


@pytest.fixture
def answering(executor: StepwellExecutor) -> StepwellExecutor:
    executor.send_tools({"final_answer": FinalAnswerTool()})
    return executor


# What the executors that come with smolagents are held to.


def test_names_and_imports_live_on(executor: StepwellExecutor) -> None:
    executor("import numpy as np; a = 2")
    assert "1.41421" in executor("print(np.sqrt(a))").logs


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ('final_answer("all")', "all"),
        ('found = "all"\nfinal_answer(found)', "all"),
        ('final_answer("""over\nlines""")', "over\nlines"),
        (
            "text = 'with final_answer(5)\\nin it'\nfinal_answer(text)",
            "with final_answer(5)\nin it",
        ),
        ("n = 2\nif n == 1:\n    final_answer(1)\nelif n == 2:\n    final_answer('two')", "two"),
        (
            "try:\n    final_answer({'a': [1, (2,)]})\nexcept Exception:\n    1 / 0",
            {"a": [1, (2,)]},
        ),
        ("try:\n    final_answer(1)\nfinally:\n    n = 2", 1),
        ("try:\n    final_answer(1)\nexcept:\n    print('swallowed')", 1),
    ],
)
def test_final_answer_is_found(answering: StepwellExecutor, code: str, answer: object) -> None:
    output = answering(code)
    assert (output.output, output.is_final_answer) == (answer, True)


def test_syntax_error_is_told(executor: StepwellExecutor) -> None:
    with pytest.raises(AgentError, match="SyntaxError"):
        executor('print("no end')


def test_custom_final_answers(executor: StepwellExecutor) -> None:
    executor.send_tools({"final_answer": smol_tools.PlusOne()})
    assert executor("final_answer(answer=41)").output == 42
    executor.send_tools({"final_answer": smol_tools.TwoInputs()})
    assert executor("final_answer(first='a', second='b')").output == "a/b"


def test_image_is_an_answer(answering: StepwellExecutor) -> None:
    code = "from PIL import Image\nfinal_answer(Image.new('RGB', (10, 20), (255, 0, 0)))"
    image = answering(code).output
    assert isinstance(image, PIL.Image.Image)
    assert (image.size, image.getpixel((3, 3))) == ((10, 20), (255, 0, 0))


# Answers.


def test_arrays_and_frames_are_answers(answering: StepwellExecutor) -> None:
    output = answering("import numpy as np\nfinal_answer(np.arange(3.0))").output
    np.testing.assert_array_equal(output, np.arange(3.0))
    code = "import pandas as pd\nfinal_answer(pd.DataFrame({'a': [1, 2], 'b': ['x', None]}))"
    frame = answering(code).output
    assert frame["a"].tolist() == [1, 2]
    assert frame["b"].iloc[0] == "x"


def test_large_answer_is_no_problem_even_after_many_displays(answering: StepwellExecutor) -> None:
    show = "import stepwell_step\nfor n in range(120): stepwell_step.display(n)\n"
    output = answering(show + "final_answer('x' * 6_000_000)")
    assert output.is_final_answer
    assert output.output == "x" * 6_000_000
    assert answering.session.files.list(".stepwell/") == []


def test_answer_without_safe_form_names_its_type(answering: StepwellExecutor) -> None:
    with pytest.raises(StepError, match=r"builtins\.object.*allow_pickle=True"):
        answering("final_answer(object())")


def test_pickles_are_loaded_only_where_allowed(client: Stepwell) -> None:
    code = "final_answer(ValueError('boom'))"
    with StepwellExecutor([], QUIET, client=client, allow_pickle=True) as executor:
        executor.send_tools({"final_answer": FinalAnswerTool()})
        assert str(executor(code).output) == "boom"


def test_forged_pickle_is_not_loaded(executor: StepwellExecutor, tmp_path: Path) -> None:
    trap = tmp_path / "trap"

    class Trap:
        def __reduce__(self) -> Any:
            return trap.touch, ()

    forged = "pickle:" + base64.b64encode(pickle.dumps(Trap())).decode()
    code = f"import stepwell_step\nstepwell_step.display(mime={{{ANSWER_TYPE!r}: {forged!r}}})"
    with pytest.raises(StepError, match="was not loaded"):
        executor(code)
    assert not trap.exists()


# Tools and variables.


def test_variables_of_many_kinds_arrive(executor: StepwellExecutor) -> None:
    variables = {
        "text": "é",
        "number": 3,
        "items": [1],
        "pair": (1, 2),
        "blob": b"\0\xff",
        "array": np.arange(4).reshape(2, 2),
        "image": PIL.Image.new("L", (2, 3), 7),
        "moment": datetime.datetime(2024, 5, 6, 7, 8),
        "frame": pd.DataFrame({"a": [1, 2], "s": ["x", "y"]}),
        "large": np.ones(1_000_000),
    }
    executor.send_variables(variables)
    code = (
        "(text, number, items, pair, blob, array.sum().item(), image.size, moment.isoformat(),"
        " frame['a'].sum().item(), frame['s'].tolist(), large.sum().item())"
    )
    expected = (
        "é",
        3,
        [1],
        (1, 2),
        b"\0\xff",
        6,
        (2, 3),
        "2024-05-06T07:08:00",
        3,
        ["x", "y"],
        1e6,
    )
    assert executor(code).output == expected
    executor("items.append(2); frame.loc[0, 'a'] = 10")
    executor.send_variables(variables)
    assert executor("items, frame['a'].sum().item()").output == ([1, 2], 12)


def test_tools_arrive_with_their_arguments(executor: StepwellExecutor) -> None:
    tools: dict[str, Tool] = {
        "area": smol_tools.area,
        "keyed": smol_tools.Keyed("SECRET", extra={"a": (1,)}),
        "held": smol_tools.Connected("c"),
    }
    executor.send_tools(tools)
    code = "area(2, 3), keyed('x'), keyed.extra, keyed({'text': 'y'})"
    assert executor(code).output == (6.0, "SECRET:x", {"a": (1,)}, "SECRET:y")
    with pytest.raises(StepError, match="ZeroDivisionError") as caught:
        executor("n = 1\n\nn / 0")
    assert 'step-2.py", line 3' in str(caught.value)
    executor.send_tools(tools)
    assert executor("area(1, 1), keyed('z')").output == (1.0, "SECRET:z")


def test_tool_that_cannot_be_kept_is_there_in_every_step(executor: StepwellExecutor) -> None:
    executor.send_tools({"held": smol_tools.Connected("c")})
    for _ in range(3):
        assert executor("held('x')").output == "c:x"


def test_refused_tool_takes_no_sandbox(executor: StepwellExecutor) -> None:
    with pytest.raises(ToolRefusedError, match="argument 'key'"):
        executor.send_tools({"changing": smol_tools.Changing("k")})
    with pytest.raises(SessionUnknownError):
        executor.session.history()


def test_nothing_but_the_steps_takes_a_sandbox(executor: StepwellExecutor) -> None:
    seen = set()
    for number in range(1, 4):
        executor.send_variables({"n": 1, "big": "x" * 20_000})
        executor.send_tools({"area": smol_tools.area, "final_answer": FinalAnswerTool()})
        executor("area(n, 2)")
        assert executor.last_result is not None
        assert executor.last_result.step == number
        seen.add(executor.last_result.sandbox_id)
    assert len(seen) == 3


def test_imports_of_all_spellings_are_there(client: Stepwell, data_profile: str) -> None:
    wanted = ["PIL", "sklearn", "matplotlib.pyplot", "*", "queue", "scikit-learn", "numpy>=1"]
    with StepwellExecutor(wanted, QUIET, client=client, profile=data_profile) as executor:
        assert executor("1 + 1").output == 2
        assert executor.installed_packages == wanted


def test_missing_packages_are_named_before_code_runs(client: Stepwell) -> None:
    with StepwellExecutor(["no-such-thing"], QUIET, client=client) as executor:
        executor.send_tools({"needs": smol_tools.WithRequirement()})
        with pytest.raises(MissingPackagesError) as caught:
            executor("print('ran')")
        assert caught.value.packages == ("no-such-thing", "no_such_package_anywhere")
        assert executor.state == {"_print_outputs": ""}
