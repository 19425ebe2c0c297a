"""Brings values into a sandbox and out of one.

Into one: `encode` makes of variables a prelude, and files where they are large, that ride along
with a step: no step is run for them. Plain values are written as Python source. Collections, dates,
numbers of other kinds, arrays, images, data frames and dataclass instances are written in a format
of this package's own, so that versions of numpy and pandas may differ between here and there. All
else is pickled here, by the program whose variables they are; that is the safe direction.

Out of one: `session.get_variable` has the sandbox write the same format, which is read here without
running or unpickling anything. What a sandbox pickled is only ever unpickled for a caller who says
`allow_pickle=True`: to unpickle is to run what the pickle says, with your rights.

Values are copied: two variables that share an object here have one each there.
"""

from stepwell.variables.encoding import Variables, encode
from stepwell.variables.portable_dump import Unportable, dump
from stepwell.variables.portable_load import load

__all__ = ["Unportable", "Variables", "dump", "encode", "load"]
