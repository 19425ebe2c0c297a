"""An executor for smolagents that runs every step of a ``CodeAgent`` in a sandbox of its own.

    from smolagents import CodeAgent
    from stepwell.smolagents import StepwellExecutor

    executor = StepwellExecutor([], logger, bootstrap="localhost:9092", profile="data")
    with CodeAgent(tools=[...], model=model, executor=executor) as agent:
        agent.run("...")

What smolagents has and what it is here is in `docs/integrations.md` of Stepwell's repository.
"""

try:
    import smolagents as _smolagents  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "stepwell.smolagents needs smolagents: pip install 'stepwell[smolagents]'"
    ) from error

from stepwell.smolagents.errors import (
    ExecutorClosedError,
    ExecutorFailedError,
    MissingPackagesError,
    RequestRefusedError,
    StepError,
    StepMemoryLimitError,
    StepTimeLimitError,
    StepwellAgentError,
    ToolRefusedError,
    VariableRefusedError,
)
from stepwell.smolagents.executor import StepwellExecutor
from stepwell.smolagents.figures import attach_figures

__all__ = [
    "ExecutorClosedError",
    "ExecutorFailedError",
    "MissingPackagesError",
    "RequestRefusedError",
    "StepError",
    "StepMemoryLimitError",
    "StepTimeLimitError",
    "StepwellAgentError",
    "StepwellExecutor",
    "ToolRefusedError",
    "VariableRefusedError",
    "attach_figures",
]
