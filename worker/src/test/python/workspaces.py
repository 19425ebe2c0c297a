"""A worker's side of a session's files: sends listings, takes changes in, and knows what the tree then is."""
import os
import subprocess
import tempfile
from pathlib import Path

import driver
from driver import PLACES, Result, Runner, compile_program, frames

PIECE = 1 << 19
# In memory, as in a sandbox: writing through a mapping leaves no trace in a file's times there.
HOME = Path(tempfile.mkdtemp(prefix="stepwell-workspace-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
# Steps leave what is too deep for Python's own way of removing it.
driver.atexit.register(subprocess.run, ["rm", "-rf", HOME])
WORKSPACE = HOME / "workspace"
CAPS = {"fileBytes": 64 << 20, "files": 1000, "reportsFiles": 1}
_NOBODY = 65534
AS_NOBODY = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--bounding-set", "-all")


def _program() -> bytes:
    place = [(str(driver.WORKSPACE), str(WORKSPACE))]
    return compile_program(changes={"workspace": place, "step_process": place})


class Node:
    """One entry of a tree."""

    def __init__(self, kind: str, mode: int = 0, mtime_ns: int = 0, content: bytes = b"") -> None:
        self.kind, self.mode, self.mtime_ns, self.content = kind, mode, mtime_ns, content

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and vars(self) == vars(other)

    def __repr__(self) -> str:
        return f"{self.kind} {self.mode:o} {self.mtime_ns} {self.content[:20]!r} ({len(self.content)})"


Tree = dict[bytes, Node]


def folder(mode: int = 0o755, mtime_ns: int = 1_700_000_000_123_456_789) -> Node:
    """A folder."""
    return Node("d", mode, mtime_ns)


def file(content: bytes, mode: int = 0o644, mtime_ns: int = 1_600_000_000_000_000_001) -> Node:
    """A regular file."""
    return Node("f", mode, mtime_ns, content)


def link(target: bytes) -> Node:
    """A symbolic link."""
    return Node("l", 0, 0, target)


class Listing:
    """A tree as it is sent: the entries, what follows them, and extents in the folder of pieces."""

    def __init__(self, tree: Tree, streamed: bool) -> None:
        self.entries, self.data, self.extents = b"", b"", []
        self._streamed = streamed
        for path in sorted(tree, key=lambda path: path.split(b"/")):
            self._add(path, tree[path])

    def _add(self, path: bytes, node: Node) -> None:
        self.entries += node.kind.encode() + _text(path)
        if node.kind == "l":
            self.entries += _text(node.content)
            return
        self.entries += node.mode.to_bytes(2, "big") + node.mtime_ns.to_bytes(8, "big", signed=True)
        if node.kind == "f":
            self.entries += len(node.content).to_bytes(8, "big") + self._runs(node.content)

    def _runs(self, content: bytes) -> bytes:
        runs = []
        if self._streamed:
            if content:
                runs.append(b"\xff" * 4 + bytes(8) + len(content).to_bytes(4, "big"))
                self.data += content
        else:
            for at in range(0, len(content), PIECE):
                piece = content[at : at + PIECE]
                place = len(self.extents).to_bytes(4, "big") + (4096).to_bytes(8, "big")
                runs.append(place + len(piece).to_bytes(4, "big"))
                self._extent(piece)
        return len(runs).to_bytes(4, "big") + b"".join(runs)

    def _extent(self, piece: bytes) -> None:
        handle, path = tempfile.mkstemp(dir=PLACES)
        os.pwrite(handle, piece, 4096)
        os.fchmod(handle, 0o444)
        os.close(handle)
        self.extents.append(os.path.basename(path))


class Changes:
    """What a step's sandbox told of its files."""

    def __init__(self) -> None:
        self.told = False
        self.pieces: list[bytes] = []
        self.entries: list[tuple[str, bytes, object]] = []
        self._used = 0

    def take(self, _: Runner, kind: bytes, payload: bytes) -> None:
        """Takes a frame in."""
        if kind == b"C":
            assert 0 < len(payload) <= PIECE
            self.pieces.append(payload)
        elif kind == b"W":
            self.told = True
            at = 0
            while at < len(payload):
                at = self._take_entry(payload, at)

    def _take_entry(self, data: bytes, at: int) -> int:
        kind = chr(data[at])
        path, at = _read_text(data, at + 1)
        value: object = None
        if kind in "df":
            mode = int.from_bytes(data[at : at + 2], "big")
            mtime_ns = int.from_bytes(data[at + 2 : at + 10], "big", signed=True)
            at += 10
            content = b""
            if kind == "f":
                size, count = int.from_bytes(data[at : at + 8], "big"), int.from_bytes(data[at + 8 : at + 12], "big")
                at += 12
                content = b"".join(self.pieces[self._used : self._used + count])
                assert count == -(-size // PIECE) and len(content) == size
                self._used += count
            value = Node(kind, mode, mtime_ns, content)
        elif kind == "l":
            target, at = _read_text(data, at)
            value = link(target)
        elif kind == "!":
            first, at = _read_text(data, at)
            second, at = _read_text(data, at)
            value = (first.decode(), second.decode())
        self.entries.append((kind, path, value))
        return at

    def paths(self, *kinds: str) -> list[str]:
        """What was told, of these kinds; without any, what is there and what is gone."""
        return [kind + " " + path.decode() for kind, path, _ in self.entries if kind in (kinds or "dflx")]

    def refused(self) -> "dict[str, tuple[str, str]]":
        """The refused entries: what each is, and why it is refused."""
        return {path.decode(): value for kind, path, value in self.entries if kind == "!"}

    def apply(self, tree: Tree) -> Tree:
        """The tree after these changes."""
        after = dict(tree)
        for kind, path, node in self.entries:
            if kind == "!":
                continue
            stays = kind == "d" and path in after and after[path].kind == "d"
            if not stays:
                for known in [known for known in after if known == path or known.startswith(path + b"/")]:
                    del after[known]
            if isinstance(node, Node):
                after[path] = node
        return after


class Step:
    """One step in a fresh workspace."""

    program = b""

    def __init__(
        self, tree: "Tree | None" = None, streamed: bool = False, root: bool = False, **options: object
    ) -> None:
        subprocess.run(["rm", "-rf", WORKSPACE], check=True)
        WORKSPACE.mkdir()
        if os.getuid() == 0:
            for path in (HOME, PLACES.parent, PLACES):
                path.chmod(0o755)
            os.chown(WORKSPACE, _NOBODY, _NOBODY)
        Step.program = Step.program or _program()
        self.listing = Listing(tree or {}, streamed)
        self.options = CAPS | options
        # Root is held up by no mode of a file.
        self.wrapper = AS_NOBODY if os.getuid() == 0 and not root else ()
        self.changes = Changes()

    def run(self, source: str, on_frame=None) -> Result:
        """Runs it to its end."""
        with Runner(wrapper=self.wrapper, program=self.program) as runner:
            self.begin(runner, source)

            def take(runner: Runner, kind: bytes, payload: bytes) -> None:
                self.changes.take(runner, kind, payload)
                if on_frame is not None:
                    on_frame(runner, kind, payload)

            return runner.finish(take)

    def begin(self, runner: Runner, source: str) -> None:
        """Sends it."""
        task = frames.encode([("source", source)])
        head = {"kind": "python", "step": 1, "outputBytes": driver.OUTPUT_BYTES}
        head |= driver.LIMITS | {"stateBytes": 0} | self.options
        sizes = {
            "taskBytes": len(task),
            "bodyBytes": 0,
            "treeBytes": len(self.listing.entries),
            "treeDataBytes": len(self.listing.data),
        }
        runner.send(b"S", list((head | sizes).items()) + [("extent", name) for name in self.listing.extents])
        runner.send_data(self.listing.entries + self.listing.data + task)


def _text(text: bytes) -> bytes:
    return len(text).to_bytes(2, "big") + text


def _read_text(data: bytes, at: int) -> tuple[bytes, int]:
    end = at + 2 + int.from_bytes(data[at : at + 2], "big")
    assert end <= len(data)
    return data[at + 2 : end], end
