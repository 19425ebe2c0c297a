"""A playground for Biomni's agents: a folder, commands and code blocks, without anything of the
host's in reach.
"""

from stepwell.biomni.blocks import CodeRun, Language
from stepwell.biomni.errors import (
    PlaygroundClosedError,
    PlaygroundPathError,
    PlaygroundProfileError,
    PlaygroundTimeoutError,
    ProgramMissingError,
)
from stepwell.biomni.files import PlaygroundFile
from stepwell.biomni.playground import AgentPlayground, CommandRun
from stepwell.biomni.profiles import ProfileRecipe, profile_for

__all__ = [
    "AgentPlayground",
    "CodeRun",
    "CommandRun",
    "Language",
    "PlaygroundClosedError",
    "PlaygroundFile",
    "PlaygroundPathError",
    "PlaygroundProfileError",
    "PlaygroundTimeoutError",
    "ProfileRecipe",
    "ProgramMissingError",
    "profile_for",
]
