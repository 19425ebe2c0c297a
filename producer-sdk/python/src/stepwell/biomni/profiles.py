"""A base image and what to install on it, as a profile that workers can have on every backend."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProfileRecipe:
    """How an image for a profile is made. Making it is up to whoever runs the workers: no client
    can.

    Attributes:
        name: the profile's and the image's name.
        base: what it is made from: ``plain``, ``data``, another image that was made, or a reference
            of a registry.
        install: shell lines, each run as root with network while the image is made.
    """

    name: str
    base: str
    install: tuple[str, ...]

    @property
    def command(self) -> list[str]:
        """The arguments of the command that makes the image for all backends of the machine."""
        command = ["bin/stepwell", "images", "build", self.name, "--backend", "all"]
        if self.name != self.base:  # plain and data are made from nothing
            command += ["--base", self.base]
        return command + [part for line in self.install for part in ("--install", line)]

    @property
    def properties(self) -> str:
        """The line for the workers' configuration."""
        return f"profile.{self.name}.image={self.name}\n"

    def __str__(self) -> str:
        return (
            f"{shlex.join(self.command)}\n# and in the workers' configuration:\n{self.properties}"
        )


def profile_for(
    base_image: str = "data", *, install: Iterable[str] = (), name: str | None = None
) -> ProfileRecipe:
    """The profile for a base image and install lines.

    Without a name it gets one that depends on both, so that what differs never has the same name.

    Raises:
        ValueError: the base is blank, or a line is blank or has a line break.
    """
    if isinstance(install, str):
        raise ValueError("install takes a list of lines, such as ['apt-get install -y samtools']")
    lines = tuple(install)
    if not base_image.strip():
        raise ValueError("base_image is blank: name one, such as 'data'")
    for line in lines:
        if not line.strip() or "\n" in line:
            raise ValueError(
                f"install has the line {line!r}: each line is one shell command, without line "
                "breaks"
            )
    if name is None:
        if not lines and base_image in ("plain", "data"):
            return ProfileRecipe(base_image, base_image, ())
        digest = hashlib.sha256("\0".join((base_image, *lines)).encode()).hexdigest()
        name = f"biomni-{digest[:12]}"
    return ProfileRecipe(name, base_image, lines)
