"""One live interpreter, to hold sessions against."""
import json
import os
import subprocess

from driver import PYTHON, WORKSPACE

_MARK = "@@step@@\n"
# One process, one namespace, the steps in order; each prints after a mark of its own.
_LIVE = r"""
import json, linecache, os, sys, types
steps, mark = json.load(sys.stdin)
main = types.ModuleType("__main__")
sys.modules["__main__"] = main
flags = 0
for number, source in enumerate(steps, 1):
    name = f"/session/step-{number}.py"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    print(mark, end="", flush=True)
    try:
        code = compile(source, name, "exec", flags, True)
        flags |= code.co_flags & 0x1FF0000
        exec(code, vars(main))
    except (Exception, SystemExit) as error:
        print("raised", type(error).__name__)
sys.stdout.flush()
os._exit(0)
"""


def live(steps: list[str]) -> list[str]:
    """What one interpreter prints in each step."""
    environment = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "HOME": "/tmp", "MPLBACKEND": "Agg"}
    fresh_workspace()
    done = subprocess.run(
        [PYTHON, "-c", _LIVE],
        input=json.dumps([steps, _MARK]),
        capture_output=True,
        text=True,
        cwd=WORKSPACE,
        env=environment,
    )
    return [part.strip() for part in done.stdout.split(_MARK)[1:]]


def fresh_workspace() -> None:
    """An empty folder where sessions have their workspace."""
    import shutil

    shutil.rmtree(WORKSPACE, ignore_errors=True)
    WORKSPACE.mkdir()
