"""The workspace: made before a step, told exactly after it, whatever the step has left in it."""
import hashlib
import os
import random
import unittest

from driver import Runner
from workspaces import AS_NOBODY, PIECE, WORKSPACE, Node, Step, file, folder, link

TREE = {
    b"a": folder(),
    b"a/big": file(bytes(range(256)) * 5000),
    b"a/empty": file(b""),
    b"a/tool": file(b"#!/bin/sh\n", 0o755),
    "a/\u00e9\n".encode(): file(b"named oddly"),
    b"b": folder(0o555),
    b"b/up": link(b"../a/big"),
    b"closed": folder(0o000),
    b"closed/in": file(b"in", 0o000),
}

# Prints the tree as it is, without a word of the runner's.
SHOW = """
import hashlib as _hashlib, os as _os
def _show(folder):
    for name in sorted(_os.listdir(folder)):
        path = folder + b'/' + name
        s = _os.lstat(path)
        kind = {0o04: 'd', 0o10: 'f', 0o12: 'l'}[s.st_mode >> 12]
        content = _os.readlink(path) if kind == 'l' else b''
        if kind == 'f':
            content = _hashlib.md5(open(path, 'rb').read()).digest()
        print(repr((path[2:], kind, s.st_mode & 0o777, s.st_mtime_ns, content)))
        if kind == 'd':
            _show(path)
_show(b'.')
"""


def digested(tree: "dict[bytes, Node]") -> "dict[bytes, Node]":
    """The tree with digests for contents."""
    return {
        path: Node("f", node.mode, node.mtime_ns, hashlib.md5(node.content).digest()) if node.kind == "f" else node
        for path, node in tree.items()
    }


def shown(text: str) -> "dict[bytes, Node]":
    """The tree that a step has printed, with digests for contents."""
    tree = {}
    for line in text.splitlines():
        path, kind, mode, mtime_ns, content = eval(line)
        tree[path] = link(content) if kind == "l" else Node(kind, mode, mtime_ns, content)
    return tree


class MakingTest(unittest.TestCase):
    @unittest.skipUnless(os.getuid() == 0, "only root sees into closed folders")
    def test_files_are_made_as_they_were(self) -> None:
        for streamed in (False, True):
            with self.subTest(streamed=streamed):
                # Root alone can look into what is closed.
                result = Step(TREE, streamed, root=True).run(SHOW)
                self.assertEqual(digested(TREE), shown(result.stdout.decode()))

    def test_untouched_files_are_no_change(self) -> None:
        for streamed in (False, True):
            with self.subTest(streamed=streamed):
                step = Step(TREE, streamed)
                result = step.run("import os\nfor a in os.walk('.'): pass\nopen('a/big').close()")
                self.assertEqual(["A", "V", "W", "Z"], result.order)
                self.assertEqual((True, []), (step.changes.told, step.changes.entries))

    def test_step_may_use_what_is_its_own(self) -> None:
        source = "open('a/big', 'a').write('more')\nlen(open('a/big', 'rb').read(9))"
        result = Step(TREE).run(source)
        self.assertEqual("9", result.text("value.text"))

    def test_paths_that_lead_out_are_refused_before_the_step(self) -> None:
        for path in (b"../out", b"/out", b"a//b", b"a/./b", b"", b"a/..", b"/".join([b"d"] * 65)):
            with self.subTest(path):
                self.assert_never_begins(Step({path: file(b"x")}), "workspace")

    def test_links_are_not_followed(self) -> None:
        out = WORKSPACE.parent / "outside"
        out.mkdir(exist_ok=True)
        out.chmod(0o777)
        self.assert_never_begins(Step({b"a": link(str(out).encode()), b"a/b": file(b"x")}), "workspace")
        self.assertEqual([], list(out.iterdir()))

    def test_missing_extent_is_told_before_the_step(self) -> None:
        step = Step({b"a": file(b"x")})
        step.listing.extents[0] = "nowhere"
        self.assert_never_begins(step, "No such file")

    def assert_never_begins(self, step: Step, why: str) -> None:
        with Runner(wrapper=step.wrapper, program=step.program) as runner:
            try:
                step.begin(runner, "1")
            except BrokenPipeError:
                pass
            self.assertEqual(b"", runner.process.stdout.read())
            self.assertIn(why, runner.process.stderr.read().decode())


class ChangesTest(unittest.TestCase):
    def check(self, source: str, *expected: str, tree=TREE) -> Step:
        step = Step(tree)
        result = step.run("import os\n" + source)
        self.assertEqual(("completed", None), (result.text("ending"), result.text("filesFailed")), result.verdict)
        self.assertEqual(list(expected), step.changes.paths())
        return step

    def test_new_and_changed_content(self) -> None:
        source = "open('new', 'w').write('x' * 1_200_000)\nopen('a/empty', 'w').write('y')"
        step = self.check(source, "f a/empty", "f new")
        after = step.changes.apply(TREE)
        self.assertEqual([PIECE, PIECE, 1_200_000 - 2 * PIECE, 1], sorted(map(len, step.changes.pieces), reverse=True))
        self.assertEqual((b"x" * 1_200_000, b"y"), (after[b"new"].content, after[b"a/empty"].content))

    def test_new_empty_folder_and_link(self) -> None:
        step = self.check("os.makedirs('n/m')\nos.symlink('/etc/passwd', 'n/out')", "d n", "d n/m", "l n/out")
        self.assertEqual(link(b"/etc/passwd"), step.changes.apply({})[b"n/out"])

    def test_touched_and_closed(self) -> None:
        self.check("os.utime('a/big')\nos.chmod('a/tool', 0o700)\nos.chmod('a/tool', 0o755)", "f a/big", "f a/tool")
        step = self.check("os.chmod('a', 0o750)", "d a")
        self.assertEqual(0o750, step.changes.apply(TREE)[b"a"].mode)

    def test_same_size_and_time(self) -> None:
        self.check(
            "s = os.stat('a/big')\nopen('a/big', 'r+b').write(b'?')\n"
            "os.utime('a/big', ns=(s.st_mtime_ns, s.st_mtime_ns))",
            "f a/big",
        )

    def test_replaced_by_its_like(self) -> None:
        step = self.check(
            "s = os.stat('a/tool')\nopen('t', 'w').write('#!/bin/sh\\n')\nos.chmod('t', 0o755)\n"
            "os.utime('t', ns=(s.st_mtime_ns, s.st_mtime_ns))\nos.rename('t', 'a/tool')",
            "d a",
            "f a/tool",
        )
        self.assertEqual(TREE[b"a/tool"], step.changes.apply(TREE)[b"a/tool"])

    def test_writing_through_a_mapping(self) -> None:
        source = "import mmap\nwith open('a/big', 'r+b') as f:\n    m = mmap.mmap(f.fileno(), 0)\n    m[700_000] = 7\n"
        for kept in ("", "hold = m"):
            step = self.check(source + kept, "f a/big")
            self.assertEqual(7, step.changes.apply(TREE)[b"a/big"].content[700_000])

    def test_opened_for_writing_and_left_alone(self) -> None:
        self.check("open('a/big', 'r+b').close()")

    def test_more_writing_than_the_kernel_counts(self) -> None:
        # The kernel's queue of events overflows; files are then compared.
        step = self.check(
            "import mmap\nopen('u', 'w').close()\nopen('v', 'w').close()\n"
            "for _ in range(20_000): open('u', 'w').close(); open('v', 'w').close()\n"
            "os.unlink('u'); os.unlink('v')\n"
            "with open('a/big', 'r+b') as f: mmap.mmap(f.fileno(), 0)[3] = 99",
            "f a/big",
        )
        self.assertEqual(99, step.changes.apply(TREE)[b"a/big"].content[3])

    def test_removed_folders_are_told_once(self) -> None:
        self.check("import shutil\nshutil.rmtree('a')", "x a")

    def test_kinds_take_each_others_place(self) -> None:
        step = self.check(
            "import shutil\nshutil.rmtree('a')\nopen('a', 'w').write('now a file')\n"
            "os.chmod('b', 0o755)\nos.unlink('b/up')\nos.mkdir('b/up')\nopen('b/up/in', 'w').close()",
            "f a",
            "d b",
            "d b/up",
            "f b/up/in",
        )
        self.assertEqual({b"a", b"b", b"b/up", b"b/up/in", b"closed", b"closed/in"}, set(step.changes.apply(TREE)))

    def test_folder_swapped_for_a_link_is_a_link(self) -> None:
        moved = ("d z", "f z/big", "f z/empty", "f z/tool", "f z/\u00e9\n")
        step = self.check("os.rename('a', 'z')\nos.symlink('/etc', 'a')", "l a", *moved)
        self.assertEqual(link(b"/etc"), step.changes.apply(TREE)[b"a"])

    def test_hard_links_are_files_of_their_own(self) -> None:
        step = self.check("os.link('a/tool', 'second')", "f a/tool", "f second")
        self.assertEqual(TREE[b"a/tool"], step.changes.apply(TREE)[b"second"])

    def test_what_is_closed_is_kept_and_stays_closed(self) -> None:
        step = self.check(
            "os.mkdir('deep')\nopen('deep/f', 'w').write('x')\n"
            "for path in ('deep/f', 'deep', '.'): os.chmod(path, 0)",
            "d deep",
            "f deep/f",
        )
        after = step.changes.apply(TREE)
        self.assertEqual((0, 0, b"x"), (after[b"deep"].mode, after[b"deep/f"].mode, after[b"deep/f"].content))

    def test_set_user_id_is_dropped(self) -> None:
        source = "open('s', 'w').close()\nos.chmod('s', 0o6755)\nos.mkdir('t')\nos.chmod('t', 0o1777)"
        step = self.check(source, "f s", "d t")
        after = step.changes.apply({})
        self.assertEqual((0o755, 0o777), (after[b"s"].mode, after[b"t"].mode))

    def test_random_changes_add_up_to_what_is_there(self) -> None:
        seed = int(os.environ.get("STEPWELL_SEED", "20261120"))
        rng = random.Random(seed)
        tree: "dict[bytes, Node]" = {}
        for number in range(12):
            step = Step(tree, streamed=number % 3 == 0)
            result = step.run(f"import random\nrng = random.Random({rng.random()})\n" + RANDOM_WORK + SHOW)
            self.assertEqual("completed", result.text("ending"), (seed, number, result.verdict))
            after = step.changes.apply(tree)
            self.assertEqual(shown(result.stdout.decode()), digested(after), (seed, number))
            told = [path for _, path, _ in step.changes.entries]
            self.assertEqual(len(set(told)), len(told), "one word on each path")
            tree = after


RANDOM_WORK = """
import os, shutil
def paths():
    return [os.path.join(f, n)[2:] for f, ds, fs in os.walk('.') for n in ds + fs]
def place():
    folders = [''] + [p for p in paths() if os.path.isdir(p) and not os.path.islink(p)]
    return os.path.join(rng.choice(folders), rng.choice('abcdefg'))
for _ in range(rng.randrange(25)):
    have, at = paths(), place()
    some = rng.choice(have) if have else None
    try:
        match rng.randrange(9):
            case 0: os.mkdir(at)
            case 1 | 2: open(at, 'wb').write(rng.randbytes(rng.choice([0, 5, 70_000, 600_000])))
            case 3: os.symlink(rng.choice(['.', '..', 'a', '/etc/passwd', at]), at)
            case 4 if os.path.isdir(some) and not os.path.islink(some): shutil.rmtree(some)
            case 4: os.unlink(some)
            case 5: os.rename(some, at)
            case 6 if not os.path.islink(some): os.chmod(some, rng.choice([0o700, 0o755, 0o744]))
            case 7 if not os.path.islink(some): os.utime(some, ns=(1, rng.randrange(10**18)))
            case 8: os.link(some, at, follow_symlinks=False)
    except (OSError, TypeError, shutil.Error):
        pass
"""


class RefusalsTest(unittest.TestCase):
    def run_step(self, source: str, tree=None, **options: object) -> Step:
        step = Step(tree, **options)
        self.result = step.run("import os\n" + source)
        self.assertEqual("completed", self.result.text("ending"), self.result.verdict)
        return step

    def test_what_is_no_file(self) -> None:
        step = self.run_step(
            "import socket\nos.mkfifo('p')\ns = socket.socket(socket.AF_UNIX)\ns.bind('s')\n"
            "open(b'\\xff\\xfe', 'w').close()\nos.mkdir(b'\\xfd')\nopen(b'\\xfd/in', 'w').close()\n"
            "os.symlink(b'\\xff', 'l')\nopen('good', 'w').close()"
        )
        self.assertEqual(["f good"], step.changes.paths())
        reasons = {path: kind for path, (kind, _) in step.changes.refused().items()}
        self.assertEqual({"p": "fifo", "s": "socket", "\\xff\\xfe": "file", "\\xfd": "folder", "l": "link"}, reasons)
        self.assertEqual(5, self.result.number("refused"))

    def test_what_took_the_place_of_a_file_is_refused_and_the_file_is_gone(self) -> None:
        step = self.run_step("os.unlink('a/tool')\nos.mkfifo('a/tool')", TREE)
        self.assertEqual(["x a/tool", "d a"], step.changes.paths())
        self.assertEqual(["a/tool"], list(step.changes.refused()))

    def test_deep_folders(self) -> None:
        step = self.run_step(
            "for _ in range(10_000):\n    os.mkdir('d')\n    os.chdir('d')\nopen('end', 'w').close()", reportsFiles=1
        )
        self.assertEqual(64, len(step.changes.paths("d")))
        self.assertEqual(["/".join(["d"] * 65)], list(step.changes.refused()))

    def test_long_names(self) -> None:
        step = self.run_step(
            "here = os.getcwd()\nfor _ in range(20):\n    os.mkdir('n' * 255)\n    os.chdir('n' * 255)\n"
            "os.chdir(here)\nopen('\u4e2d' * 85, 'w').close()"
        )
        self.assertEqual(["f " + "\u4e2d" * 85], step.changes.paths("f"))
        self.assertEqual(16, len(step.changes.paths("d")))
        self.assertEqual(1, len(step.changes.refused()))

    def test_sparse_and_large_files(self) -> None:
        step = self.run_step(
            "open('sparse', 'w').truncate(1 << 40)\nopen('small', 'w').truncate(1 << 20)", fileBytes=2 << 20
        )
        self.assertEqual(["f small"], step.changes.paths())
        self.assertIn("bytes", step.changes.refused()["sparse"][1])

    def test_what_the_session_had_goes_first(self) -> None:
        tree = {b"z": file(b"old" * 1000)}
        source = "for n in range(50): open(f'a{n:02}', 'w').write('x' * 1000)"
        step = self.run_step(source, tree, files=10, fileBytes=8000)
        self.assertEqual(5, len(step.changes.paths("f")))
        self.assertEqual([], step.changes.paths("x"))
        self.assertEqual(45, self.result.number("refused"))

    def test_new_bytes_are_bounded(self) -> None:
        tree = {b"old": file(b"o" * 3000), b"grows": file(b"g")}
        source = "open('grows', 'w').write('g' * 900)\nopen('n', 'w').write('n' * 500)"
        step = self.run_step(source, tree, newBytes=1000)
        self.assertEqual(["f grows"], step.changes.paths())
        self.assertEqual(["n"], list(step.changes.refused()))

    def test_a_great_many_entries(self) -> None:
        step = self.run_step(
            "os.mkdir('m')\nfor n in range(60_000): os.mkfifo(f'm/{n}') if n % 2 else os.symlink('x', f'm/{n}')",
            files=500,
        )
        self.assertLessEqual(len(step.changes.paths()), 500)
        self.assertEqual(200, len(step.changes.refused()))
        self.assertEqual(60_001, self.result.number("refused") + len(step.changes.paths()))

    def test_links_in_circles(self) -> None:
        source = "os.symlink('.', 'self')\nos.symlink('y', 'x')\nos.symlink('x', 'y')\nos.symlink('/', 'root')"
        step = self.run_step(source)
        self.assertEqual(["l root", "l self", "l x", "l y"], step.changes.paths())

    def test_strict_tells_all_or_nothing(self) -> None:
        step = self.run_step("os.mkfifo('p')\nopen('f', 'w').write('x')", strict=1)
        self.assertEqual(([], []), (step.changes.entries, step.changes.pieces))
        self.assertIn("fifo p", self.result.text("filesFailed"))
        step = self.run_step("open('f', 'w').write('x')", strict=1)
        self.assertEqual(["f f"], step.changes.paths())


class EndsTest(unittest.TestCase):
    def test_every_kind_of_step_tells(self) -> None:
        for options in ({"kind": "shell"}, {"kind": "python"}):
            step = Step(TREE, **options)
            source = "open('new', 'w').write('x\\n')\nimport os; os._exit(3)"
            if options["kind"] == "shell":
                source = "echo x > new; exit 3"
            result = step.run(source)
            self.assertEqual((3, ["f new"]), (result.number("exitCode"), step.changes.paths()))

    def test_nothing_is_told_of_a_step_that_was_ended(self) -> None:
        step = Step(TREE)
        result = step.run("open('new', 'w').close()\nimport os\nos.kill(os.getpid(), 11)")
        self.assertEqual((11, False), (result.number("signal"), step.changes.told))
        step = Step(TREE)
        result = step.run("import time\ntime.sleep(60)", lambda runner, kind, _: kind == b"A" and runner.kill())
        self.assertEqual((1, False), (result.number("killed"), step.changes.told))

    def test_nothing_is_told_unless_asked(self) -> None:
        step = Step(TREE, reportsFiles=0)
        result = step.run("open('new', 'w').close()")
        self.assertEqual((False, "completed"), (step.changes.told, result.text("ending")))

    def test_a_kill_while_files_are_told_ends_the_telling_alone(self) -> None:
        step = Step({}, fileBytes=1 << 30, newBytes=1 << 30)
        result = step.run(
            "open('large', 'w').truncate(200 << 20)", lambda runner, kind, _: kind == b"W" and runner.kill()
        )
        self.assertEqual((0, 0), (result.number("exitCode"), result.number("killed")))
        self.assertIn("time", result.text("filesFailed"))

    def test_what_survives_its_step_changes_nothing(self) -> None:
        step = Step({})
        result = step.run(
            "import os, time\nif os.fork() == 0:\n    os.setsid()\n    while True: open('late', 'w').write('x')\n"
            "while not os.path.exists('late'): pass"
        )
        self.assertEqual((0, ["f late"]), (result.number("exitCode"), step.changes.paths()))


@unittest.skipUnless(os.getuid() == 0, "only root can become somebody else")
class OwnerTest(unittest.TestCase):
    def test_steps_run_as_nobody_here(self) -> None:
        self.assertIn("65534", AS_NOBODY)
        self.assertEqual("65534", Step({}).run("import os\nos.getuid()").text("value.text"))


if __name__ == "__main__":
    unittest.main()
