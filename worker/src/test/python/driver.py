"""Speaks the worker's side of the channel to a real runner in a real process."""
import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

RUNNER = Path(__file__).resolve().parents[2] / "main/resources/dev/stepwell/worker/runner"
sys.path.insert(0, str(RUNNER))
# The folder is packed into the worker's jar: no caches of this interpreter belong there.
sys.dont_write_bytecode = True

from stepwell_runner import frames  # noqa: E402

# STEPWELL_PYTHON runs the tests against another interpreter than their own.
PYTHON = os.environ.get("STEPWELL_PYTHON", sys.executable)
OUTPUT_BYTES = 1 << 20
STATE_BYTES = 64 << 20
LIMITS = {"stateBytes": STATE_BYTES, "newBytes": STATE_BYTES, "components": 10_000, "manifestBytes": 8 << 20}
# Stands for the folder that a backend binds into a sandbox, and for the session's workspace.
_FOLDER = Path(tempfile.mkdtemp(prefix="stepwell-runner-"))
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)
PLACES = _FOLDER / "places"
WORKSPACE = _FOLDER / "workspace"
PLACES.mkdir()
(PLACES / "here").touch()


def _first_process() -> list[str]:
    """What makes the runner the first process of a process namespace, where this machine allows that."""
    command = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
    if shutil.which("unshare") and subprocess.run([*command, "true"], capture_output=True).returncode == 0:
        return command
    return []


FIRST_PROCESS = _first_process()


def _adapted(source: bytes, name: str, changes: "dict[str, list[tuple[str, str]]]") -> bytes:
    """A module with the folders of this test, and with what a test changes in it."""
    text = source.decode().replace('"/workspace', f'"{WORKSPACE}').replace('"/run/stepwell', f'"{PLACES}')
    for before, after in changes.get(name, ()):
        if before not in text:
            raise ValueError(f"{name} has no {before!r}")
        text = text.replace(before, after)
    return text.encode()


def compile_program(python: str = PYTHON, changes: "dict[str, list[tuple[str, str]]] | None" = None) -> bytes:
    """The runner, compiled as a worker does it."""
    sources = [("loader", (RUNNER / "loader.py").read_bytes())]
    for path in sorted((RUNNER / "stepwell_runner").glob("*.py")):
        name = "stepwell_runner" if path.stem == "__init__" else f"stepwell_runner.{path.stem}"
        sources.append((name, _adapted(path.read_bytes(), path.stem, changes or {})))
    data = frames.encode(sources)
    command = [python, "-s", "-P", "-B", "-c", (RUNNER / "compiler.py").read_text()]
    done = subprocess.run(command, input=len(data).to_bytes(4, "big") + data, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode())
    kind, size = frames.parse_header(done.stdout)
    assert kind == b"C" and size == len(done.stdout) - frames.HEADER_BYTES
    return frames.decode(done.stdout[frames.HEADER_BYTES :])["code"][0]


_programs: dict[str, bytes] = {}


class Snapshot:
    """A session's state as a worker holds it; immutable."""

    def __init__(self, body: bytes, pieces: list[bytes], eager: list[int]) -> None:
        self.body = body
        self.pieces = pieces
        self.eager = eager

    def __len__(self) -> int:
        return len(self.body) + sum(map(len, self.pieces))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Snapshot) and (self.body, self.pieces, self.eager) == (
            other.body,
            other.pieces,
            other.eager,
        )


class Store:
    """A worker's pieces, as the sandbox it serves gets at them."""

    def __init__(self, snapshot: "Snapshot | None", streamed: bool) -> None:
        self.pieces = snapshot.pieces if snapshot else []
        self.streamed = streamed
        self.needed: list[list[int]] = []

    def places(self, indexes: list[int]) -> list[bytes]:
        """Puts pieces into one extent, and says where they are in it."""
        if not indexes:
            return []
        handle, path = tempfile.mkstemp(dir=PLACES)
        name = os.path.basename(path).encode()
        places, offset = [], 0
        for index in indexes:
            os.pwrite(handle, self.pieces[index], offset)
            places.append(index.to_bytes(4, "big") + offset.to_bytes(8, "big") + name)
            offset += -(-len(self.pieces[index]) // 4096) * 4096
        os.close(handle)
        return places

    def answer(self, need: bytes) -> "tuple[list[tuple[str, str | bytes | int]], bytes]":
        """What to say to a frame of needs: fields, and bytes to follow."""
        indexes = [int.from_bytes(need[at : at + 4], "big") for at in range(0, len(need), 4)]
        asked = [index for known in self.needed for index in known]
        assert indexes and not set(indexes) & set(asked) and len(set(indexes)) == len(indexes), "asked for twice"
        self.needed.append(indexes)
        if max(indexes) >= len(self.pieces):
            return [("gone", "there is no such piece")], b""
        if self.streamed:
            data = b"".join([self.pieces[index] for index in indexes])
            return [("bytes", len(data))], data
        return [("placed", place) for place in self.places(indexes)], b""


class Result:
    """What came out of one step. ``order`` lists the frame types as they came."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.stdout = b""
        self.stderr = b""
        self.verdict: dict[str, list[bytes]] = {}
        self.saved: dict[str, list[bytes]] = {}
        self.end: dict[str, list[bytes]] = {}
        self.snapshot: Snapshot | None = None
        self.new_bytes = 0
        self.displays: list[dict[str, list[bytes]]] = []
        self.store = Store(None, False)

    def text(self, name: str) -> str | None:
        """A field of the verdict, or of the frames after it."""
        for fields in (self.verdict, self.saved, self.end):
            if name in fields:
                return fields[name][0].decode()
        return None

    def number(self, name: str) -> int | None:
        """A numeric field."""
        text = self.text(name)
        return None if text is None else int(text)

    @property
    def printed(self) -> str:
        """Standard output as text, without the white space around it."""
        return self.stdout.decode().strip()

    def losses(self) -> list[dict[str, str]]:
        """What the snapshot doesn't hold."""
        found: dict[str, dict[str, str]] = {}
        for name, values in self.saved.items():
            if name.startswith("lost."):
                _, index, field = name.split(".", 2)
                found.setdefault(index, {})[field] = values[0].decode()
        return list(found.values())


class Runner:
    """One booted runner. Use it in a ``with`` block: it is gone afterwards."""

    def __init__(
        self,
        imports: tuple[str, ...] = (),
        first_process: bool = True,
        python: str = PYTHON,
        wrapper: tuple[str, ...] = (),
        program: bytes | None = None,
    ) -> None:
        if program is None:
            if python not in _programs:
                _programs[python] = compile_program(python)
            program = _programs[python]
        command = [python, "-s", "-P", "-B", "-c", (RUNNER / "bootstrap.py").read_text()]
        self.process = subprocess.Popen(
            [*(FIRST_PROCESS if first_process else []), *wrapper, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "HOME": "/tmp"},
            cwd="/tmp",
        )
        self.store = Store(None, False)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.input, self.output = self.process.stdin.fileno(), self.process.stdout.fileno()
        frames.write_all(self.input, len(program).to_bytes(4, "big") + program)
        self.send(b"B", [("import", name) for name in imports])
        kind, self.ready = self.receive()
        assert kind == b"R", kind

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *unused: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def send(self, kind: bytes, fields: "list[tuple[str, str | bytes | int]]") -> None:
        """Sends a frame of fields."""
        frames.write_all(self.input, frames.frame(kind, frames.encode(fields)))

    def receive_raw(self) -> tuple[bytes, bytes]:
        """The next frame."""
        kind, size = frames.parse_header(frames.read_exactly(self.output, frames.HEADER_BYTES))
        return kind, frames.read_exactly(self.output, size)

    def receive(self) -> tuple[bytes, dict[str, list[bytes]]]:
        """The next frame, of fields."""
        kind, payload = self.receive_raw()
        return kind, frames.decode(payload)

    def begin(self, source: str = "", snapshot: "Snapshot | None" = None, **options: object) -> None:
        """Sends a step. Options are those of the S frame, and prelude, argv, stdin, env, streamed (no folder for pieces)."""
        body: "list[tuple[str, str | bytes | int]]" = [("source", source)]
        body += [("argv", argument) for argument in options.pop("argv", ())]
        if prelude := options.pop("prelude", ""):
            body += [("prelude", str(prelude))]
        body += [("stdin", options.pop("stdin", b""))]
        body += [(f"env.{name}", text) for name, text in options.pop("env", {}).items()]
        task = frames.encode(body)
        self.store = Store(snapshot, bool(options.pop("streamed", False)))
        eager = snapshot.eager if snapshot and not self.store.streamed else []
        self.store.needed.append(eager)
        known = {"pieces": b"".join([len(piece).to_bytes(4, "big") for piece in self.store.pieces])}
        body_bytes = snapshot.body if snapshot else b""
        head = {"kind": "python", "step": 1, "outputBytes": OUTPUT_BYTES} | LIMITS | options
        sizes = {"taskBytes": len(task), "bodyBytes": len(body_bytes)}
        placed = [("placed", place) for place in self.store.places(eager)]
        self.send(b"S", list((head | sizes | known).items()) + placed)
        self.send_data(task + body_bytes)

    def send_data(self, data: bytes) -> None:
        """Sends bytes in as many frames as they take."""
        for at in range(0, len(data), frames.MAX_PAYLOAD_BYTES):
            frames.write_all(self.input, frames.frame(b"D", data[at : at + frames.MAX_PAYLOAD_BYTES]))

    def kill(self) -> None:
        """Asks for the step's end."""
        self.send(b"K", [])

    def finish(self, on_frame=None) -> Result:
        """Reads until the end of the step."""
        result = Result()
        result.store = self.store
        pieces, body, shown = [], b"", b""
        while True:
            kind, payload = self.receive_raw()
            if kind == b"N":
                fields, data = self.store.answer(payload)
                self.send(b"F", fields)
                self.send_data(data)
                continue
            result.order.append(kind.decode())
            if kind == b"O":
                result.stdout += payload
            elif kind == b"E":
                result.stderr += payload
            elif kind == b"T":
                pieces.append(payload)
                result.new_bytes += len(payload)
            elif kind == b"M":
                body += payload
            elif kind == b"G":
                shown = (b"" if payload[0] & 2 else shown) + payload[1:]
                if payload[0] & 1:
                    result.displays.append(frames.decode(shown))
                    shown = b""
            elif kind == b"V":
                result.verdict = frames.decode(payload)
            elif kind == b"S":
                result.saved = frames.decode(payload)
                if "failed" not in result.saved:
                    result.snapshot = self._compose(result.saved, pieces, body)
            elif kind == b"Z":
                result.end = frames.decode(payload)
                return result
            if on_frame is not None:
                on_frame(self, kind, payload)


    def _compose(self, saved: dict[str, list[bytes]], new: list[bytes], body: bytes) -> Snapshot:
        refs = [int.from_bytes(saved["refs"][0][at : at + 4], "big", signed=True) for at in range(0, len(saved["refs"][0]), 4)]
        eager = [int.from_bytes(saved["eager"][0][at : at + 4], "big") for at in range(0, len(saved["eager"][0]), 4)]
        assert {-1 - ref for ref in refs if ref < 0} == set(range(len(new))), "every new piece is referred to"
        pieces = [self.store.pieces[ref] if ref >= 0 else new[-1 - ref] for ref in refs]
        assert int(saved["liveBytes"][0]) == len(body) + sum(map(len, pieces))
        return Snapshot(body, pieces, eager)


def run_step(source: str, snapshot: "Snapshot | None" = None, **options: object) -> Result:
    """Runs one step in a fresh runner."""
    imports = options.pop("imports", ())
    first_process = options.pop("first_process", True)
    on_frame = options.pop("on_frame", None)
    with Runner(imports, first_process, program=options.pop("program", None)) as runner:
        runner.begin(source, snapshot, **options)
        return runner.finish(on_frame)


def run_session(steps: "list[str]", **options: object) -> list[Result]:
    """Runs steps one after the other, each in a fresh runner with the state that the one before left."""
    results: list[Result] = []
    snapshot: Snapshot | None = None
    for number, source in enumerate(steps, 1):
        result = run_step(source, snapshot, step=number, **options)
        results.append(result)
        if result.snapshot is not None:
            snapshot = result.snapshot
    return results
