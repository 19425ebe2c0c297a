"""Speaks the worker's side of the channel to a real runner in a real process."""
import os
import shutil
import subprocess
import sys
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


def _first_process() -> list[str]:
    """What makes the runner the first process of a process namespace, where this machine allows that."""
    command = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
    if shutil.which("unshare") and subprocess.run([*command, "true"], capture_output=True).returncode == 0:
        return command
    return []


FIRST_PROCESS = _first_process()


def compile_program(python: str = PYTHON) -> bytes:
    """The runner, compiled as a worker does it."""
    sources = [("loader", (RUNNER / "loader.py").read_bytes())]
    for path in sorted((RUNNER / "stepwell_runner").glob("*.py")):
        name = "stepwell_runner" if path.stem == "__init__" else f"stepwell_runner.{path.stem}"
        sources.append((name, path.read_bytes()))
    data = frames.encode(sources)
    command = [python, "-s", "-P", "-B", "-c", (RUNNER / "compiler.py").read_text()]
    done = subprocess.run(command, input=len(data).to_bytes(4, "big") + data, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode())
    kind, size = frames.parse_header(done.stdout)
    assert kind == b"C" and size == len(done.stdout) - frames.HEADER_BYTES
    return frames.decode(done.stdout[frames.HEADER_BYTES :])["code"][0]


_programs: dict[str, bytes] = {}


class Result:
    """What came out of one step. ``order`` lists the frame types as they came."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.stdout = b""
        self.stderr = b""
        self.verdict: dict[str, list[bytes]] = {}
        self.saved: dict[str, list[bytes]] = {}
        self.end: dict[str, list[bytes]] = {}
        self.snapshot: bytes | None = None

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
    ) -> None:
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

    def begin(self, source: str = "", snapshot: bytes = b"", **options: object) -> None:
        """Sends a step. Options are those of the S frame, and argv, stdin, env."""
        body: "list[tuple[str, str | bytes | int]]" = [("source", source)]
        body += [("argv", argument) for argument in options.pop("argv", ())]
        body += [("stdin", options.pop("stdin", b""))]
        body += [(f"env.{name}", text) for name, text in options.pop("env", {}).items()]
        task = frames.encode(body)
        head = {"kind": "python", "step": 1, "outputBytes": OUTPUT_BYTES, "stateBytes": STATE_BYTES} | options
        sizes = {"taskBytes": len(task), "restoreBytes": len(snapshot)}
        self.send(b"S", list((head | sizes).items()))
        data = task + snapshot
        for at in range(0, len(data), frames.MAX_PAYLOAD_BYTES):
            frames.write_all(self.input, frames.frame(b"D", data[at : at + frames.MAX_PAYLOAD_BYTES]))

    def kill(self) -> None:
        """Asks for the step's end."""
        self.send(b"K", [])

    def finish(self, on_frame=None) -> Result:
        """Reads until the end of the step."""
        result = Result()
        pieces = []
        while True:
            kind, payload = self.receive_raw()
            result.order.append(kind.decode())
            if kind == b"O":
                result.stdout += payload
            elif kind == b"E":
                result.stderr += payload
            elif kind == b"T":
                pieces.append(payload)
            elif kind == b"V":
                result.verdict = frames.decode(payload)
            elif kind == b"S":
                result.saved = frames.decode(payload)
                if "failed" not in result.saved:
                    result.snapshot = b"".join(pieces)
            elif kind == b"Z":
                result.end = frames.decode(payload)
                return result
            if on_frame is not None:
                on_frame(self, kind, payload)


def run_step(source: str, snapshot: bytes | None = None, **options: object) -> Result:
    """Runs one step in a fresh runner."""
    imports = options.pop("imports", ())
    first_process = options.pop("first_process", True)
    on_frame = options.pop("on_frame", None)
    with Runner(imports, first_process) as runner:
        runner.begin(source, snapshot or b"", **options)
        return runner.finish(on_frame)


def run_session(steps: "list[str]", **options: object) -> list[Result]:
    """Runs steps one after the other, each in a fresh runner with the state that the one before left."""
    results: list[Result] = []
    snapshot: bytes | None = None
    for number, source in enumerate(steps, 1):
        result = run_step(source, snapshot, step=number, **options)
        results.append(result)
        if result.snapshot is not None:
            snapshot = result.snapshot
    return results
