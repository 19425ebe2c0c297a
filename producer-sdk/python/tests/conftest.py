"""What the tests share.

Tests marked `broker` run where STEPWELL_TEST_BOOTSTRAP says where a broker with a worker is, or
STEPWELL_TEST_UP where a `bin/stepwell` is that can start both. STEPWELL_TEST_DATA_PROFILE names the
profile with numpy, pandas and matplotlib, if the workers have one.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepwell import Stepwell

GOLDEN = Path(__file__).parents[3] / "protocol" / "src" / "test" / "resources" / "golden"
RUNNER = (
    Path(__file__)
    .parents[3]
    .joinpath("worker", "src", "main", "resources", "dev", "stepwell", "worker", "runner")
)
_START_SECONDS = 300
_STOP_SECONDS = 30


@pytest.fixture(scope="session")
def golden() -> Path:
    if not GOLDEN.is_dir():
        pytest.skip("the golden messages are in the project's repository, and this is no checkout")
    return GOLDEN


@pytest.fixture(scope="session")
def bootstrap() -> Iterator[str]:
    given = os.environ.get("STEPWELL_TEST_BOOTSTRAP")
    launcher = os.environ.get("STEPWELL_TEST_UP")
    if given:
        yield given
    elif launcher:
        yield from _started(launcher)
    else:
        pytest.skip("no broker: set STEPWELL_TEST_BOOTSTRAP, or STEPWELL_TEST_UP to bin/stepwell")


@pytest.fixture(scope="session")
def client(bootstrap: str) -> Iterator[Stepwell]:
    with Stepwell.connect(bootstrap, answer_timeout=120) as connected:
        yield connected


@pytest.fixture(scope="session")
def data_profile() -> str:
    name = os.environ.get("STEPWELL_TEST_DATA_PROFILE")
    if not name:
        pytest.skip("no profile with numpy and pandas: set STEPWELL_TEST_DATA_PROFILE")
    return name


def _started(launcher: str) -> Iterator[str]:
    """A broker and a worker of this run's own, on a port of its own."""
    profile = os.environ.get("STEPWELL_TEST_DATA_PROFILE")
    command = [launcher, "up", "--backend", "bubblewrap", "--port", "0"]
    command += ["--profile", profile] if profile else []
    with tempfile.TemporaryFile("w+") as errors:
        stack = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True
        )
        try:
            yield _bootstrap(stack)
        except TimeoutError:
            errors.seek(0)
            pytest.fail(f"{' '.join(command)} did not get ready:\n{errors.read()[-4000:]}")
        finally:
            stack.send_signal(signal.SIGTERM)
            try:
                stack.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(stack.pid, signal.SIGKILL)
                stack.wait()
            if stack.stdout is not None:
                stack.stdout.close()


def _bootstrap(stack: subprocess.Popen[str]) -> str:
    """Reads until the launcher says where its broker is, and then on, lest the pipe fill up."""
    ready = threading.Event()
    found: list[str] = []

    def read() -> None:
        assert stack.stdout is not None
        for line in stack.stdout:
            if line.startswith("ready: bootstrap="):
                found.append(line.strip().partition("=")[2])
                ready.set()
        ready.set()

    threading.Thread(target=read, daemon=True).start()
    if not ready.wait(_START_SECONDS) or not found:
        raise TimeoutError
    return found[0]
