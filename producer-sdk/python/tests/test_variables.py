from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import fractions
import importlib.util
import json
import pathlib
import subprocess
import sys
import textwrap
import threading
import uuid
import zoneinfo
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from conftest import RUNNER
from stepwell import FileInput, Step, VariableError
from stepwell.variables import Unportable, Variables, dump, encode, load
from stepwell.variables.encoding import FOLDER
from stepwell.variables.looks import look
from stepwell.variables.preludes import module_source


@dataclasses.dataclass
class Point:
    x: int
    children: list[Point]


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: int


class Plain:
    pass


PLAIN_VALUES: list[object] = [
    None,
    True,
    5,
    -5,
    10**300,
    1.5,
    float("inf"),
    "grüße \"'\n\\ 🚀",
    "\ud800",
    b"\0\xff",
    bytearray(b"12"),
    [1, [2, {"a": (1,)}]],
    (),
    (1,),
    set(),
    {1, 2},
    frozenset([1]),
    {(1, 2): 3, None: 4},
    {"t": "map"},
    1 + 2j,
    range(3, 9, 2),
    dt.datetime(2020, 1, 1, 1, 2, 3, 4),
    dt.datetime(2020, 1, 1, tzinfo=dt.timezone.utc),
    dt.datetime(2020, 10, 25, 2, 30, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin"), fold=1),
    dt.date(2020, 1, 2),
    dt.time(1, 2, 3),
    dt.timedelta(1, 2, 3),
    decimal.Decimal("1.10"),
    fractions.Fraction(1, 3),
    pathlib.Path("/a/b"),
    uuid.UUID(int=5),
    "x" * 100_000,
    list(range(10_000)),
]


def run(variables: Variables, source: str, folder: pathlib.Path) -> str:
    """Runs a step's source behind the prelude, in a process and a workspace of its own."""
    for path, content in variables.files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    (folder / "step.py").write_text(f"{variables.prelude}\n{textwrap.dedent(source)}", "utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "step.py"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("value", PLAIN_VALUES, ids=lambda value: repr(value)[:20])
def test_plain_values_survive_the_format(value: object) -> None:
    copied = load(dump(value))
    assert copied == value
    assert type(copied) is type(value)


def test_plain_values_arrive_in_another_process(tmp_path: pathlib.Path) -> None:
    values = {f"v{number}": value for number, value in enumerate(PLAIN_VALUES)}
    variables = encode({**values, "nan": float("nan")}, workspace=str(tmp_path))
    out = run(
        variables,
        """
        import json
        assert nan != nan
        names = sorted(name for name in globals() if name[0] == "v" and name[1:].isdigit())
        print(json.dumps({name: repr(globals()[name]) for name in names}))
        """,
        tmp_path,
    )
    assert json.loads(out) == {name: repr(value) for name, value in values.items()}


def test_a_prelude_leaves_nothing_but_the_variables(tmp_path: pathlib.Path) -> None:
    variables = encode(
        {"small": 1, "large": b"x" * 100_000, "point": Point(1, []), "call": len},
        workspace=str(tmp_path),
    )
    own = {"__annotations__", "__builtins__", "__cached__", "__doc__", "__file__", "__loader__"}
    own |= {"__name__", "__package__", "__spec__"}
    names = set(run(variables, "print(*globals())", tmp_path).split())
    assert names - own == {"Point", "call", "large", "point", "small"}
    assert [each.name for each in tmp_path.iterdir()] == ["step.py"]


def test_a_prelude_keeps_what_else_is_in_its_folder(tmp_path: pathlib.Path) -> None:
    variables = encode({"large": b"x" * 100_000}, workspace=str(tmp_path))
    other = tmp_path / ".stepwell" / "other"
    other.parent.mkdir()
    other.touch()
    run(variables, "assert len(large) == 100_000", tmp_path)
    assert other.exists()
    assert not (tmp_path / FOLDER).exists()


def test_arrays_and_frames_arrive(tmp_path: pathlib.Path) -> None:
    variables = encode(
        {"a": np.arange(6.0).reshape(2, 3), "f": frame(), "i": Image.new("RGB", (4, 5), "red")},
        workspace=str(tmp_path),
        allow_pickle=False,
    )
    out = run(
        variables,
        """
        a[0, 0] = 7  # it is the step's own
        print(a.tolist(), list(f.columns), len(f), i.size, i.getpixel((0, 0)))
        """,
        tmp_path,
    )
    columns = list(frame().columns)
    assert out.strip() == f"[[7.0, 1.0, 2.0], [3.0, 4.0, 5.0]] {columns} 3 (4, 5) (255, 0, 0)"


def frame() -> Any:
    moments = pd.to_datetime(pd.Series(["2020-01-01", None, "2021-05-05"]))
    return pd.DataFrame(
        {
            "integers": [1, 2, 3],
            "texts": ["x", None, "z"],
            "moments": moments.array,
            "zoned": moments.dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin").array,
            "categories": pd.Categorical(["u", "v", "u"], ordered=True),
            "nullable": pd.array([1, None, 3], dtype="Int64"),
            "flags": pd.array([True, None, False], dtype="boolean"),
            "floats": [1.5, float("nan"), 2],
            "spans": pd.to_timedelta(pd.Series(["1s", None, "2s"])).array,
            "objects": pd.array([[1], {"k": 2}, None], dtype=object),
        },
        index=pd.Index(["a", "b", "c"], name="key"),
    )


def pandas_values() -> Iterator[object]:
    whole = frame()
    yield whole
    yield whole.reset_index(drop=True)
    yield whole.set_index(["integers", "floats"])
    yield whole[[]]
    yield whole.iloc[:0]
    yield pd.DataFrame()
    yield pd.concat([whole, whole], axis=1)
    yield pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)]))
    for column in whole.columns:
        yield whole[column]


@pytest.mark.parametrize("value", list(pandas_values()), ids=lambda value: type(value).__name__)
def test_frames_and_series_survive_the_format(value: object) -> None:
    copied = load(dump(value))
    if isinstance(value, pd.DataFrame):
        pd.testing.assert_frame_equal(copied, value)
    else:
        assert isinstance(value, pd.Series)
        pd.testing.assert_series_equal(copied, value)


@pytest.mark.parametrize(
    "value",
    [
        np.arange(6, dtype=">i2").reshape(3, 2).T,
        np.zeros((0, 3)),
        np.array(5.0),
        np.array(["a", "bcd"]),
        np.array(["2020-01-01", "NaT"], dtype="M8[D]"),
        np.array([1, "x", None], dtype=object),
        np.array([True, False]),
        np.array([1 + 2j]),
    ],
)
def test_arrays_survive_the_format(
    value: np.ndarray[tuple[int, ...], np.dtype[np.generic]],
) -> None:
    copied = load(dump(value))
    assert copied.dtype == value.dtype
    assert copied.shape == value.shape
    np.testing.assert_array_equal(copied, value)
    assert copied.flags.writeable


def test_scalars_of_numpy_and_pandas_survive_the_format() -> None:
    for value in (
        np.float32(1.5),
        np.bool_(True),
        np.datetime64("2020-01-01"),
        pd.Timestamp("2020-01-01 01:02:03.000000004", tz="Asia/Tokyo"),
        pd.Timedelta("1s"),
    ):
        copied = load(dump(value))
        assert copied == value
        assert type(copied) is type(value)
    assert load(dump(pd.NaT)) is pd.NaT
    assert load(dump(pd.NA)) is pd.NA


def test_dataclass_instances_become_those_of_the_sandboxs_class(tmp_path: pathlib.Path) -> None:
    point = Point(1, [Point(2, [])])
    variables = encode({"p": point, "f": Frozen(3)}, workspace=str(tmp_path))
    made = run(variables, "print(p.children[0].x, type(p).__name__, f, Frozen(3) == f)", tmp_path)
    assert made.strip() == "2 Point Frozen(x=3) True"
    own = dataclasses.replace(
        variables,
        prelude=textwrap.dedent("""
            import dataclasses
            @dataclasses.dataclass
            class Point:
                x: int
                children: list
                def total(self):
                    return self.x + sum(child.total() for child in self.children)
        """)
        + variables.prelude,
    )
    assert run(own, "print(p.total(), type(p) is Point)", tmp_path).strip() == "3 True"


def test_what_has_no_form_is_pickled_here(
    tmp_path: pathlib.Path,
) -> None:
    class Plain:
        def __init__(self) -> None:
            self.x = 5

        def next(self) -> int:
            return self.x + 1

    offset = 41
    variables = encode(
        {"error": ValueError("boom"), "call": lambda x: x + offset, "own": Plain()},
        workspace=str(tmp_path),
    )
    assert f"{FOLDER}/cloudpickle/cloudpickle.py" in variables.files
    out = run(variables, "print(repr(error), call(1), own.next())", tmp_path)
    assert out.strip() == "ValueError('boom') 42 6"


def test_without_pickles_what_has_no_form_is_refused_by_name() -> None:
    with pytest.raises(VariableError) as caught:
        encode({"fine": 1, "own": [Plain()]}, allow_pickle=False)
    assert "'own'" in str(caught.value)
    assert "Plain" in str(caught.value)
    assert "allow_pickle=True" in str(caught.value)


def test_what_cannot_be_pickled_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(VariableError, match=r"'lock'.*_thread\.lock.*can't be pickled"):
        encode({"lock": threading.Lock()})
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    with pytest.raises(VariableError, match=r"'call'.*function.*install cloudpickle"):
        encode({"call": lambda: 1})


@pytest.mark.parametrize("name", ["", "a b", "class", "1a", "a.b", "ﬁ"])
def test_names_that_no_variable_has_are_refused(name: str) -> None:
    with pytest.raises(VariableError):
        encode({name: 1})


def test_what_holds_itself_is_pickled_and_not_followed_for_ever(tmp_path: pathlib.Path) -> None:
    loop: list[object] = [1]
    loop.append(loop)
    with pytest.raises(Unportable, match="holds itself"):
        dump(loop)
    variables = encode({"loop": loop}, workspace=str(tmp_path))
    assert run(variables, "print(loop[1][1][0])", tmp_path).strip() == "1"


def test_missing_modules_are_named_with_the_way_out(tmp_path: pathlib.Path) -> None:
    module = type(sys)("nowhere")
    exec("class Thing:\n    pass", vars(module))
    sys.modules["nowhere"] = module
    try:
        variables = encode({"thing": module.Thing()}, workspace=str(tmp_path))
    finally:
        del sys.modules["nowhere"]
    with pytest.raises(AssertionError, match="'thing' needs the module 'nowhere'"):
        run(variables, "", tmp_path)


def test_variables_ride_before_a_steps_own_prelude() -> None:
    variables = Variables("x = 1\n", {"a": b"1"})
    step = variables.into(Step.python("y", prelude="y = x", files={"b": b"2"}))
    assert step.prelude == "x = 1\n\ny = x"
    assert step.files == (FileInput("b", b"2"), FileInput("a", b"1"))
    assert encode({}).into(step) is step
    with pytest.raises(VariableError, match="SHELL"):
        variables.into(Step.shell("ls"))


def test_large_values_come_in_parts_that_fit_into_messages(tmp_path: pathlib.Path) -> None:
    variables = encode({"large": b"x" * (9 << 20)}, workspace=str(tmp_path))
    assert [len(part) for part in variables.files.values()][:2] == [4 << 20, 4 << 20]
    assert len(variables.files) == 3
    assert run(variables, "print(len(large))", tmp_path).strip() == str(9 << 20)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"SWV1",
        b"nope" + dump([1])[4:],
        dump(b"123")[:-1],
        b"SWV1\0\0\0\x0e" + b'{"value": 1}..',
        b"SWV1\0\0\0\x2a" + b'{"value":{"t":"eval","v":"1"},"blobs":[] }',
    ],
)
def test_a_hostile_sandbox_only_gets_an_exception(data: bytes) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        load(data)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="sandboxes have Python 3.11 or newer")
@pytest.mark.skipif(not RUNNER.is_dir(), reason="the runner is in the project's repository")
@pytest.mark.parametrize("name", ["portable_load", "portable_dump"])
def test_what_runs_in_sandboxes_does_not_load_the_whole_session(name: str) -> None:
    sys.path.insert(0, str(RUNNER))
    try:
        reach = importlib.import_module("stepwell_runner.reach")
    finally:
        sys.path.remove(str(RUNNER))
    code = compile(f"def run():\n{module_source(name)}", "<test>", "exec")
    found = reach.words_of(code)
    assert not reach.is_unbounded(found), found & reach._UNBOUNDED
    encoded = encode({"a": np.arange(3), "p": Point(1, []), "e": ValueError(), "f": lambda: 1})
    code = compile(encoded.prelude, "<test>", "exec")
    found = reach.words_of(code)
    assert not reach.is_unbounded(found), found & reach._UNBOUNDED
    code = compile(look("x", allow_pickle=True).source or "", "<test>", "exec")
    found = reach.words_of(code)
    assert not reach.is_unbounded(found), found & reach._UNBOUNDED
