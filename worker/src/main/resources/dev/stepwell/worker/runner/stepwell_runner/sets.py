"""The order in which a set iterates. It depends on how the set came about, and a pickle only has its elements.

Where reading the elements one by one would give another order, the pickle says in which turn to put them in instead,
and whether all at once, which makes a smaller table.
"""
from itertools import islice, permutations

_SIMPLE = frozenset((str, int, float, bytes, bool, type(None)))
_LARGEST = 1 << 7
# In one component; trying is not free.
_TRIED = 200
_ATTEMPTS = 130
# What a pickle holds where it makes a set.
_SET_MARK = b"\x8f"
_SMALLEST_TABLE = 8
_EMPTY_BYTES = set.__sizeof__(set())
_ENTRY_BYTES = 16


def ways(stream: bytes, memo) -> "list[tuple[set, bool, list]]":
    """For each set in a pickle that would come back in another order: what to give to ``order``."""
    if _SET_MARK not in stream:
        return []
    found = []
    left = _TRIED
    for _, value in memo.copy().values():
        if type(value) is set and 1 < len(value) <= _LARGEST and _SIMPLE.issuperset(map(type, value)):
            wanted = list(value)
            if _made(wanted, False) != wanted and left:
                left -= 1
                way = _way(value, wanted)
                if way is not None:
                    found.append((value, *way))
    return found


def _way(value: set, wanted: list) -> "tuple[bool, list] | None":
    """A turn of the elements that leads to the wanted order.

    What is in the place that its hash names comes first; what found that taken, and went elsewhere, comes after it.
    """
    table = max(_SMALLEST_TABLE, (set.__sizeof__(value) - _EMPTY_BYTES) // _ENTRY_BYTES)
    at_home = _longest_rise([hash(element) & (table - 1) for element in wanted])
    first = [wanted[index] for index in at_home]
    others = [element for index, element in enumerate(wanted) if index not in at_home]
    for displaced in islice(permutations(others), _ATTEMPTS):
        for at_once in (False, True):
            turn = first + list(displaced)
            if _made(turn, at_once) == wanted:
                return at_once, turn
    return None


def _longest_rise(numbers: list[int]) -> "dict[int, None]":
    """The indexes of a longest rising part of a sequence."""
    best: list[tuple[int, int]] = []
    for index, number in enumerate(numbers):
        length, before = 1, -1
        for earlier in range(index):
            if numbers[earlier] < number and best[earlier][0] >= length:
                length, before = best[earlier][0] + 1, earlier
        best.append((length, before))
    found = []
    index = max(range(len(best)), key=lambda index: best[index][0])
    while index >= 0:
        found.append(index)
        index = best[index][1]
    return dict.fromkeys(reversed(found))


def _made(turn: list, at_once: bool) -> list:
    made: set = set()
    order(made, at_once, turn)
    return list(made)


def order(value: set, at_once: bool, turn: list) -> None:
    """Makes a set iterate as another did."""
    value.clear()
    value.update(dict.fromkeys(turn) if at_once else turn)
