"""smolagents' own tests of its remote executors, with this executor in their fixture.

They are in its source distribution: `pip download --no-deps --no-binary :all: smolagents`,
unpacked. Their folder is what STEPWELL_SMOLAGENTS_TESTS says."""

from __future__ import annotations

import importlib.util
import os
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("smolagents")

from smolagents.monitoring import AgentLogger, LogLevel

from stepwell.smolagents import StepwellExecutor

FOLDER = os.environ.get("STEPWELL_SMOLAGENTS_TESTS")
pytestmark = [
    pytest.mark.broker,
    pytest.mark.skipif(
        FOLDER is None, reason="needs STEPWELL_SMOLAGENTS_TESTS=folder of its tests"
    ),
]


def common() -> Any:
    """The tests that all of its executors share. What the file imports for the others is stood in
    for."""
    if FOLDER is None:
        return object
    package, utils, markers, docker = (
        types.ModuleType(name)
        for name in ("upstream", "upstream.utils", "upstream.utils.markers", "docker")
    )
    package.__path__ = utils.__path__ = []
    markers.require_run_all = lambda test: test  # type: ignore[attr-defined]
    for module in (package, utils, markers):
        sys.modules[module.__name__] = module
    sys.modules.setdefault("docker", docker)
    path = Path(FOLDER) / "test_remote_executors.py"
    spec = importlib.util.spec_from_file_location("upstream.test_remote_executors", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.CommonDockerExecutorIntegration


class TestStepwellExecutor(common()):  # type: ignore[misc]
    @pytest.fixture
    def custom_executor(self, bootstrap: str, data_profile: str) -> Iterator[StepwellExecutor]:
        logger = AgentLogger(LogLevel.OFF)
        imports = ["pillow", "numpy"]
        with StepwellExecutor(
            imports, logger, bootstrap=bootstrap, profile=data_profile
        ) as executor:
            yield executor
