"""Playgrounds in real sandboxes."""

import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepwell import BrokerUnreachableError, Stepwell
from stepwell.biomni import (
    AgentPlayground,
    PlaygroundPathError,
    PlaygroundTimeoutError,
    ProgramMissingError,
)

pytestmark = pytest.mark.broker


def test_links_and_swapped_folders_are_refused(bootstrap: str) -> None:
    with AgentPlayground(bootstrap) as playground:
        setup = "mkdir out; ln -s /etc etc; ln -s out alias; touch file; ln -s file one"
        assert playground.run(["sh", "-c", setup]).returncode == 0
        for path in ("etc/passwd", "alias/x", "one", "out", "file/x", "etc"):
            for mode in ("r", "w", "a", "x"):
                with pytest.raises(PlaygroundPathError):
                    playground.open(path, mode)
        swapped = playground.open("out/later", "w")
        playground.run(["sh", "-c", "rmdir out; ln -s /etc out"])
        swapped.write("x")
        with pytest.raises(PlaygroundPathError, match="'out' is a symbolic link"):
            swapped.close()


def test_playground_in_real_sandboxes(bootstrap: str) -> None:
    with AgentPlayground(bootstrap) as playground:
        with playground.open("test.py", "w") as file:
            file.write("import sys\nprint('out')\nprint('err', file=sys.stderr)\nsys.exit(4)\n")
        assert playground.run(["python3", "test.py"]) == ("out\n", "err\n", 4)
        assert playground.run(["no-such-program"]).returncode == 127
        assert playground.run(["sh", "-c", "kill -9 $$"]).returncode == -9
        with pytest.raises(PlaygroundTimeoutError) as caught:
            playground.run(["sh", "-c", "echo half; sleep 60"], timeout_seconds=1)
        assert str(caught.value.stdout) == "half\n"
        assert playground.run_code("n = 20\nprint(n)").text == "20\n"
        assert playground.run_code("print(n + 1)").text == "21\n"
        bash = playground.run_code("#!BASH\necho one\nfalse\necho two")
        assert (bash.returncode, bash.stdout) == (1, "one\n")
        assert playground.run_code("#!CLI\necho a \\\n b").text == "a b\n"
        with pytest.raises(ProgramMissingError):
            playground.run_code("#!R\nprint(1)")
        playground.clean()
        assert playground.run(["ls", "-A"]).stdout == ""


@pytest.fixture
def readable_folder() -> Iterator[Path]:
    """A folder that the user of sandboxes may enter: those of tmp_path are this user's alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def connected(bootstrap: str, prefix: str) -> Stepwell:
    """A client, as soon as the new topics' partitions have a leader."""
    for _ in range(10):
        try:
            return Stepwell.connect(bootstrap, topic_prefix=prefix)
        except BrokerUnreachableError as error:
            problem = error
            time.sleep(0.5)
    raise problem


def test_data_of_the_worker_is_seen_and_not_changed(
    bootstrap: str, tmp_path: Path, readable_folder: Path
) -> None:
    launcher = Path(__file__).parents[4] / "bin" / "stepwell"
    if not launcher.exists():
        pytest.skip("the launcher is in the project's repository, and this is no checkout")
    prefix = f"mounted-{uuid.uuid4().hex[:8]}"
    lake_folder = readable_folder / "lake"
    lake_folder.mkdir()
    (lake_folder / "genes.txt").write_text("BRCA1\n")
    config = tmp_path / "worker.properties"
    config.write_text(
        f"bootstrap.servers={bootstrap}\ntopic.prefix={prefix}\ngroup.id={prefix}\n"
        f"cluster.name={prefix}\nbackend=bubblewrap\nslots=1\n"
        f"mount.lake={lake_folder}\nprofile.plain.mounts=lake\n"
    )
    subprocess.run([launcher, "topics", "--bootstrap", bootstrap, "--prefix", prefix], check=True)
    with subprocess.Popen([launcher, "worker", "--config", config]) as worker:
        try:
            with (
                connected(bootstrap, prefix) as client,
                AgentPlayground(client=client) as playground,
            ):
                lake = playground.data("lake")
                assert playground.run(["cat", f"{lake}/genes.txt"]).stdout == "BRCA1\n"
                assert playground.run(["touch", f"{lake}/new"]).returncode == 1
        finally:
            worker.terminate()
    assert [file.name for file in lake_folder.iterdir()] == ["genes.txt"]
