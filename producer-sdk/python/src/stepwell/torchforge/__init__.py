"""A coder for torchforge: asks for code to be run, from an actor, on any backend of Stepwell."""

from stepwell.torchforge.coder import SandboxedPythonCoder
from stepwell.torchforge.outcomes import CoderClosedError, CoderResult, CoderSetupError

__all__ = ["CoderClosedError", "CoderResult", "CoderSetupError", "SandboxedPythonCoder"]
