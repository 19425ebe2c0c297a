"""What code can reach: the names it may look up, and the components that these lead to."""
import sys
import types

from stepwell_runner.table import Component, Table

# Whatever uses one of these may look at any variable, or at which there are.
_UNBOUNDED = frozenset(
    "globals locals vars dir eval exec query __globals__ f_globals f_locals f_builtins currentframe _getframe stack "
    "get_objects get_referrers modules __main__ import_module runpy inspect builtins __builtins__ fork forkpty "
    "multiprocessing ProcessPoolExecutor Process joblib code_info pdb breakpoint".split()
)
# By these, a text can be used as a name.
_BY_TEXT = frozenset("getattr attrgetter methodcaller __import__ import_module".split())
# Code objects of functions have their own local variables.
_OPTIMIZED = 1
_HAS_DOCSTRING = 0x4000000
_LONGEST_WORD = 200
_BREAKS = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}


def words_of(code: types.CodeType) -> set[str]:
    """Every identifier that code may use as a global name, at any depth.

    String constants count: they may be evaluated, by pandas for example, or be annotations.
    """
    found: set[str] = set()
    texts: set[str] = set()
    pending = [code]
    while pending:
        current = pending.pop()
        found.update(current.co_names)
        constants = current.co_consts
        if _has_docstring(current):
            constants = constants[1:]
        for constant in constants:
            if isinstance(constant, types.CodeType):
                pending.append(constant)
            elif isinstance(constant, str):
                texts |= _words_in(constant)
            elif isinstance(constant, (tuple, frozenset)):
                for part in constant:
                    if isinstance(part, str):
                        texts |= _words_in(part)
    # A message that has such a word in it looks at nothing.
    return found | (texts - _UNBOUNDED if _BY_TEXT.isdisjoint(found) else texts)


def _has_docstring(code: types.CodeType) -> bool:
    if not code.co_flags & _OPTIMIZED or not code.co_consts or not isinstance(code.co_consts[0], str):
        return False
    if sys.version_info >= (3, 13):
        return bool(code.co_flags & _HAS_DOCSTRING)
    return code.co_name[:1] != "<"


def _words_in(text: str) -> set[str]:
    if not text.isascii():
        text = "".join([letter if letter.isalnum() or letter == "_" else " " for letter in text])
    return {word for word in text.translate(_BREAKS).split() if len(word) <= _LONGEST_WORD and word.isidentifier()}


def is_unbounded(words: "set[str] | list[str]") -> bool:
    """Whether code with these words may look at any variable."""
    return not _UNBOUNDED.isdisjoint(words)


def reachable(table: Table, homes: dict[str, int], words: set[str]) -> set[int]:
    """The components that code with these words can reach, directly or through what it finds there."""
    if is_unbounded(words):
        return set(table.components)
    bindings = table.bindings
    found: set[int] = set()
    pending = [bound for bound in map(bindings.get, words) if type(bound) is int]
    while pending:
        number = pending.pop()
        if number in found:
            continue
        found.add(number)
        component = Component(table.components[number])
        pending += [homes[key] for key in component.needs if key in homes]
        if component.words:
            further = component.words.split()
            if is_unbounded(further):
                return set(table.components)
            pending += [bound for bound in map(bindings.get, further) if type(bound) is int]
    return found
