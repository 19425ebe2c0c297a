import io
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from stepwell import ErrorCode, Outcome, Value
from stepwell.biomni import (
    AgentPlayground,
    Language,
    PlaygroundClosedError,
    PlaygroundPathError,
    PlaygroundProfileError,
    PlaygroundTimeoutError,
    ProgramMissingError,
    profile_for,
)
from stepwell.biomni.blocks import OBSERVATION_CHARACTERS, command_line, parse_block, shortened
from stepwell.testing import FakeStepwell, completed, exited, failed, rejected, timed_out


@pytest.fixture
def playground() -> Iterator[AgentPlayground]:
    with FakeStepwell() as client, AgentPlayground(client=client) as made:
        yield made


def answering(answer: Any, **options: Any) -> AgentPlayground:
    answerer = answer if callable(answer) or isinstance(answer, str) else lambda _: answer
    return AgentPlayground(client=FakeStepwell(answerer), **options)


def test_text_is_written_and_read(playground: AgentPlayground) -> None:
    with playground.open("out/notes.txt", "w") as file:
        file.write("é\n")
        print(2, file=file)
    assert playground.open("out/notes.txt").read() == "é\n2\n"
    assert playground.open("./out//notes.txt", "rb").read() == "é\n2\n".encode()
    with playground.open("out/notes.txt", "a", encoding="utf-8") as file:
        file.write("3")
    assert list(playground.open("out/notes.txt")) == ["é\n", "2\n", "3"]


def test_bytes_are_changed_in_place(playground: AgentPlayground) -> None:
    with playground.open("data.bin", "xb") as file:
        file.write(b"abcdef")
    with playground.open("data.bin", "r+b") as file:
        file.seek(2)
        file.write(b"X")
        file.truncate(5)
        assert file.seek(0) == 0
        assert file.read() == b"abXde"
    with playground.open("data.bin", "a+b") as file:
        file.seek(0)
        file.write(b"!")
        file.seek(0)
        assert file.readline() == b"abXde!"
    assert playground.open("data.bin", "rb").read() == b"abXde!"


def test_flush_writes_before_close(playground: AgentPlayground) -> None:
    file = playground.open("log", "w")
    file.write("one")
    file.flush()
    assert playground.open("log").read() == "one"
    file.close()
    file.close()


def test_opening_to_write_makes_or_empties_the_file(playground: AgentPlayground) -> None:
    playground.open("new", "w").close()
    assert playground.open("new").read() == ""


def test_modes_are_those_of_open(playground: AgentPlayground) -> None:
    with pytest.raises(FileNotFoundError):
        playground.open("missing")
    playground.open("there", "x").close()
    with pytest.raises(FileExistsError):
        playground.open("there", "x")
    for mode in ("", "rw", "z", "rbt", "rr", "b"):
        with pytest.raises(ValueError, match="invalid mode"):
            playground.open("there", mode)
    with pytest.raises(ValueError, match="binary mode"):
        playground.open("there", "rb", encoding="utf-8")
    with pytest.raises(io.UnsupportedOperation):
        playground.open("there", "rb").write(b"")
    with pytest.raises(io.UnsupportedOperation):
        playground.open("there", "wb").read()


@pytest.mark.parametrize(
    "path", ["../x", "a/../../x", "/etc/passwd", "\\x", "", ".", "./", "a\0b", ".."]
)
@pytest.mark.parametrize("mode", ["r", "w", "a", "x"])
def test_path_that_leaves_is_refused(playground: AgentPlayground, path: str, mode: str) -> None:
    with pytest.raises(PlaygroundPathError) as caught:
        playground.open(path, mode)
    assert caught.value.path == path


def test_command_is_told_as_by_subprocess() -> None:
    runs = iter([completed("out", stderr="err"), exited(3), timed_out(stdout="half")])
    playground = answering(lambda _: next(runs))
    stdout, stderr, returncode = playground.run(["a", "b"], timeout_seconds=7)
    assert (stdout, stderr, returncode) == ("out", "err", 0)
    assert playground.run(["a"]).returncode == 3
    with pytest.raises(subprocess.TimeoutExpired) as caught:
        playground.run(["sleep", "9"], timeout_seconds=1)
    assert isinstance(caught.value, PlaygroundTimeoutError)
    assert (caught.value.cmd, caught.value.timeout) == (["sleep", "9"], 1)
    assert str(caught.value.stdout) == "half"


def test_time_limit_is_120_seconds_for_commands_and_600_for_code() -> None:
    client = FakeStepwell()
    playground = AgentPlayground(client=client)
    playground.run(["true"])
    playground.run_code("1")
    assert [request.limits.wall_time_ms for request in client.requests] == [120_000, 600_000]


@pytest.mark.parametrize(
    ("block", "language", "code"),
    [
        ("x = 1", Language.PYTHON, "x = 1"),
        ("```python\nx = 1\n```", Language.PYTHON, "x = 1"),
        ("\n#!R\nprint(1)", Language.R, "print(1)"),
        ("# R code\nprint(1)", Language.R, "print(1)"),
        ("# R script\nprint(1)", Language.R, "print(1)"),
        ("#!BASH\nls", Language.BASH, "ls"),
        ("# Bash script\nls", Language.BASH, "ls"),
        ("```bash\n#!CLI\nls -l\n```", Language.CLI, "ls -l"),
        ("#!Rust", Language.PYTHON, "#!Rust"),
    ],
)
def test_marker_says_the_language(block: str, language: Language, code: str) -> None:
    assert parse_block(block) == (language, code)


def test_command_over_several_lines_is_one() -> None:
    assert (
        command_line("samtools view \\\n  -b x.sam\n\n -o y.bam")
        == "samtools view -b x.sam -o y.bam"
    )


def test_long_output_is_cut_for_the_agent_only() -> None:
    assert shortened("x" * OBSERVATION_CHARACTERS) == "x" * OBSERVATION_CHARACTERS
    run = answering("x" * (OBSERVATION_CHARACTERS + 5)).run_code("1")
    assert run.text.endswith("5 more are left out.\n" + "x" * OBSERVATION_CHARACTERS)
    assert len(run.stdout) == OBSERVATION_CHARACTERS + 5


def test_what_the_agent_sees_of_failures() -> None:
    def see(answer: Any, block: str) -> str:
        return answering(answer).run_code(block, 5).text

    python = see(failed("ValueError", "no", stdout="before\n"), "f()")
    assert python.startswith("before\nError: no\nTraceback (most recent call last):")
    assert see(exited(1, stderr="bad"), "#!R\nf()") == "Error running R code:\nbad"
    bash = see(exited(2, stdout="some\n", stderr="bad"), "#!BASH\nls")
    assert bash == "some\nError running Bash script (exit code 2):\nbad"
    assert "timed out after 5 seconds" in see(timed_out(), "f()")


def test_bash_ends_at_the_first_failure() -> None:
    client = FakeStepwell()
    AgentPlayground(client=client).run_code("#!BASH\nls")
    (request,) = client.requests
    assert request.argv == ("bash", ".stepwell/block.sh")
    assert request.files[0].content == b"set -e\nls"


def test_missing_program_is_named() -> None:
    with pytest.raises(ProgramMissingError, match="Rscript.*r-base-core") as caught:
        answering(exited(127, stderr="Rscript: not found\n")).run_code("#!R\n1")
    assert caught.value.program == "Rscript"


def test_figures_are_returned() -> None:
    png = "iVBORw0KGgo="
    shown = completed(displays=[Value("figure", "Figure", {"image/png": png})])
    run = answering(shown).run_code("plt.show()")
    assert run.figures[0].startswith(b"\x89PNG")
    assert run.images == [f"data:image/png;base64,{png}"]


def test_clean_empties_and_close_ends() -> None:
    client = FakeStepwell()
    playground = AgentPlayground(client=client)
    playground.clean()
    with playground.open("a", "w") as file:
        file.write("1")
    playground.clean()
    with pytest.raises(FileNotFoundError):
        playground.open("a")
    playground.close()
    playground.close()
    for use in (lambda: playground.run(["ls"]), playground.clean, lambda: playground.open("a")):
        with pytest.raises(PlaygroundClosedError):
            use()
    assert client.run("1").outcome is Outcome.COMPLETED


def test_recipe_depends_on_base_and_lines() -> None:
    recipe = profile_for("data", install=["apt-get install -y samtools", "pip install 'x y'"])
    assert recipe.name.startswith("biomni-")
    assert recipe.command[-6:] == [
        "--base",
        "data",
        "--install",
        "apt-get install -y samtools",
        "--install",
        "pip install 'x y'",
    ]
    assert recipe.properties == f"profile.{recipe.name}.image={recipe.name}\n"
    assert recipe.name in str(recipe)
    assert profile_for("plain", install=recipe.install).name != recipe.name
    assert profile_for("data").command[2:] == ["build", "data", "--backend", "all"]
    assert profile_for("data", name="mine").name == "mine"
    for lines in ("ls", ["a\nb"], [" "]):
        with pytest.raises(ValueError):
            profile_for("data", install=lines)


def test_unknown_profile_tells_how_to_make_it() -> None:
    unknown = rejected(ErrorCode.UNKNOWN_PROFILE, "unknown here")
    playground = answering(unknown, base_image="data", install=["touch /made"])
    with pytest.raises(PlaygroundProfileError, match="images build biomni-.*'touch /made'"):
        playground.run(["ls"])


def test_data_has_a_path(playground: AgentPlayground) -> None:
    assert playground.data("lake-1") == "/data/lake-1"
    for alias in ("", "Lake", "a/b", ".."):
        with pytest.raises(ValueError, match="alias"):
            playground.data(alias)
