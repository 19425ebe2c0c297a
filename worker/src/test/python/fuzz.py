"""Random programs, run as sessions and in one live interpreter: both must print the same in every step.

``python3 fuzz.py [--programs 400] [--steps 11] [--seed N] [--plain]``. A failure names its seed and program.
"""
import argparse
import random
import sys

from driver import Runner, Snapshot, compile_program
from oracle import live

# Everything that differs between small and large sessions is brought down to the size of these programs.
TINY = {
    "loader": [("_CHEAP_US = 2000", "_CHEAP_US = -1")],
    "pickling": [("_BUFFER_BYTES = 1 << 16", "_BUFFER_BYTES = 1 << 10")],
    "products": [("_INLINE_BYTES = 96", "_INLINE_BYTES = 48"), ("_SHORT_BYTES = 1 << 15", "_SHORT_BYTES = 1 << 9")],
    "frames": [("PIECE_BYTES = 1 << 19", "PIECE_BYTES = 1 << 12")],
    "packing": [("_EAGER_BYTES = 1 << 18", "_EAGER_BYTES = 1 << 11")],
}
_NAMES = [f"v{number}" for number in range(9)]
# Prints values so that one sees which objects are the same, and which arrays share memory.
_SHOW = """
def _show(*roots):
    seen, arrays = {}, []
    def walk(o):
        if o is None or isinstance(o, (int, str, float)): return repr(o)
        if id(o) in seen: return '#%d' % seen[id(o)]
        n = seen[id(o)] = len(seen)
        t = type(o).__name__
        if t in ('list', 'tuple'): return '%d:[%s]' % (n, ','.join(map(walk, o)))
        if t == 'dict': return '%d:{%s}' % (n, ','.join('%s=%s' % (k, walk(x)) for k, x in o.items()))
        if t == 'set': return '%d:%s' % (n, sorted(map(repr, o)))
        if t == 'ndarray':
            arrays.append((n, o))
            return '%d:a%s%s%s' % (n, o.shape, o.flags.writeable, o.ravel().tolist()[:6] + [int(o.sum())])
        if t == 'function':
            cells = [walk(c.cell_contents) for c in o.__closure__ or ()]
            return '%d:f(%s;%s;%s;%s)' % (n, o.__name__, cells, walk(o.__defaults__), walk(o.__dict__))
        if isinstance(o, type): return '%d:c(%s;%s;%s)' % (n, o.__name__, o.k, walk(o.box))
        return '%d:o(%s;%s)' % (n, walk(type(o)), walk(o.__dict__))
    text = [walk(o) for o in roots]
    shared = [(n, m) for i, (n, a) in enumerate(arrays) for m, b in arrays[:i] if np.shares_memory(a, b)] if arrays else []
    print(*text, shared)
"""
_PUT = """
if isinstance({a}, list): {a}.append({b})
elif isinstance({a}, dict): {a}[{i}] = {b}
elif isinstance({a}, set): {a}.add({i})
elif type({a}).__name__ == 'ndarray': {a}[{i} % len({a})] = {i}
else: {a}.x{j} = {b}
"""


class Program:
    """Makes one random program."""

    def __init__(self, seed: str, steps: int, arrays: bool) -> None:
        self._random = random.Random(seed)
        self._arrays = arrays
        self.steps = [self._first()] + [self._step() for _ in range(steps - 2)]
        everything = ", ".join(f"globals().get({name!r})" for name in _NAMES)
        self.steps.append(f"{_SHOW}\n_show({everything})\nprint([n for n in globals() if n[0] in 'vfcnm'])")

    def _first(self) -> str:
        imports = "import numpy as np\n" if self._arrays else ""
        made = [f"{name} = {self._value()}" for name in _NAMES[:6]]
        made += [f"class c{j}:\n    k = {j}\n    box = v{j}\n    def m(self): return v{j + 1}\nv{j + 6} = c{j}()" for j in range(3)]
        made += [f"def f{j}(x=v{j}):\n    global n\n    n += 1\n    return [x, v{j + 2}, n]" for j in range(3)]
        return imports + "n = 0\n" + "\n".join(made)

    def _name(self) -> str:
        return self._random.choice(_NAMES)

    def _value(self) -> str:
        number = self._random.randrange(100)
        kinds = [f"[{number}]", f"{{'k': [{number}]}}", f"{{{number}, {number + 1}, 'x{number}'}}", str(number)]
        if self._arrays:
            kinds += [f"np.arange({number}, {number + 300})", f"np.zeros((40, {20 + number}), order='{self._random.choice('CF')}')"]
            kinds.append(f"np.arange({2000 + number})")
        return self._random.choice(kinds)

    def _step(self) -> str:
        operations = [self._operation() for _ in range(self._random.randint(1, 4))]
        guarded = [f"try:\n{_indented(text)}\nexcept Exception as error: print(type(error).__name__)" for text in operations]
        shown = self._random.sample(_NAMES, self._random.randint(0, 3))
        shows = [f"try: _show({', '.join(shown)})\nexcept NameError: print('no name')"] if shown else []
        return "\n".join(guarded + ([_SHOW] if shown else []) + shows)

    def _operation(self) -> str:
        a, b, c = self._name(), self._name(), self._name()
        i, j = self._random.randrange(2000), self._random.randrange(3)
        kinds = [
            f"{a} = {self._value()}",
            f"{a} = {b}",
            f"{a} = [{b}, {c}]",
            f"{a} = {{'p': {b}, 'q': {b}}}",
            f"del {a}",
            f"{a}, {b} = {b}, {a}",
            _PUT.format(a=a, b=b, i=i, j=j),
            _PUT.format(a=a, b=b, i=i, j=j),
            _PUT.format(a=a, b=b, i=i, j=j),
            f"def f{j}(x={a}):\n    global n\n    n += 1\n    return [x, {b}, n]\nf{j}.note = {c}",
            f"{a} = f{j}()",
            f"{a} = f{j}",
            f"def f{j}():\n    global {a}\n    del {a}",
            f"def f{j}():\n    return globals().get({a!r})",
            f"def make(y):\n    count = [{i}]\n    def up(): count.append(y); return count\n    def get(): return count\n    return up, get\n"
            f"{a}, {b} = make({c})",
            f"{a}()",
            f"class c{j}:\n    k = {i}\n    box = {a}\n    def m(self): return {b}",
            f"{a} = c{j}()",
            f"{a} = [c{j}(), c{j}()]",
            f"{a} = c{j}",
            f"c{j}.k += 1",
            f"c{j}.box = {a}",
            f"{a} = {b}.m()",
            f"{a} = {b}.x{j}",
            f"{a} = {b}[{j}]",
            f"del c{j}",
            f"print(type({a}) is c{j}, isinstance({b}, c{j}), n)",
            f"n += 1; print(n, sorted(x for x in globals() if x in {_NAMES!r}))",
            "raise KeyError",
        ]
        if self._arrays:
            kinds += [
                f"{a} = {b}[1:]",
                f"{a} = {b}[::-2]",
                f"{a} = {b}.T",
                f"{a} = {b}[3:90].reshape(-1, 3)",
                f"{a} = {b}[..., 2]",
                f"{a}.flags.writeable = False",
                f"{a}[...] = {i}",
                f"{a}[{i} % len({a})] += 1",
                f"{a} = np.array([{b}, None], dtype=object)[:1]",
            ]
        return self._random.choice(kinds)


def _indented(text: str) -> str:
    return "\n".join("    " + line for line in text.strip("\n").split("\n"))


def first_difference(
    program: Program, compiled: bytes, chance: random.Random, arrays: bool, repeat: bool = True
) -> str | None:
    """Runs a program both ways. Returns what differs first, or None."""
    expected = live(program.steps)
    snapshot: Snapshot | None = None
    imports = ("numpy",) if arrays else ()
    for number, source in enumerate(program.steps, 1):
        results = []
        # Sometimes twice: the same step on the same state leaves the same bytes.
        times = 2 if repeat and chance.random() < 0.1 else 1
        for _ in range(times):
            with Runner(imports, first_process=False, program=compiled) as runner:
                runner.begin(source, snapshot, step=number, streamed=chance.random() < 0.3)
                results.append(runner.finish())
        result = results[0]
        raised = result.text("exception.name")
        printed = "\n".join(part for part in (result.printed, f"raised {raised}" if raised else "") if part)
        if printed != expected[number - 1]:
            return f"step {number}:\n{source}\n  live:    {expected[number - 1]}\n  session: {printed}\n{result.text('exception.traceback')}"
        if result.snapshot is None or result.losses():
            return f"step {number}:\n{source}\n  lost: {result.losses()} {result.text('failed')}"
        if results[0].snapshot != results[-1].snapshot:
            return f"step {number}:\n{source}\n  left different bytes the second time"
        snapshot = result.snapshot
    return None


def differences(
    seed: int,
    programs: int,
    steps: int,
    arrays: bool,
    changes: "dict[str, list[tuple[str, str]]] | None" = None,
    repeat: bool = True,
) -> "list[str]":
    """Runs programs of a seed. Returns what differs, or as much of it as was found when it was enough."""
    changes = {name: TINY.get(name, []) + (changes or {}).get(name, []) for name in {*TINY, *(changes or {})}}
    compiled = compile_program(changes=changes)
    found = []
    for number in range(programs):
        program = Program(f"{seed}/{number}", steps, arrays)
        chance = random.Random(f"{seed}/{number}/chance")
        difference = first_difference(program, compiled, chance, arrays, repeat)
        if difference is not None:
            found.append(f"seed {seed}, program {number}, {difference}")
            if len(found) == 3:
                break
    return found


def main() -> None:
    """Runs it from the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=int, default=400)
    parser.add_argument("--steps", type=int, default=11)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--plain", action="store_true", help="without numpy")
    options = parser.parse_args()
    print(f"seed {options.seed}")
    found = differences(options.seed, options.programs, options.steps, not options.plain)
    print("\n\n".join(found) or f"{options.programs} programs of {options.steps} steps: no difference")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
