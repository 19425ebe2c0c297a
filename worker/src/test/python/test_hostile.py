"""Step code that works against its runner. Whatever it does, the step ends, and its end is told truly."""
import os
import shutil
import unittest

from driver import FIRST_PROCESS, Runner, frames, run_session, run_step


class DescriptorsTest(unittest.TestCase):
    def test_closed_standard_descriptors(self) -> None:
        result = run_step("import os\nfor fd in range(3): os.close(fd)\n5")
        self.assertEqual(("completed", "5"), (result.text("ending"), result.text("value.text")))

    def test_closed_low_descriptors_and_no_streams(self) -> None:
        result = run_step("import os, sys\nos.closerange(0, 256)\nsys.stdout = sys.stderr = sys.__stdout__ = None\n5")
        self.assertEqual("5", result.text("value.text"))

    def test_junk_in_every_descriptor(self) -> None:
        result = run_step(
            "import os\nfor fd in range(3, 256):\n    try: os.write(fd, b'V\\0\\0\\0\\1x' * 1000)\n    except OSError: pass\n5"
        )
        self.assertEqual("5", result.text("value.text"))

    def test_junk_in_the_claims_is_no_verdict_and_hides_no_end(self) -> None:
        result = run_step("import os\nos.write(802, b'junk' * 100)\nos._exit(4)")
        self.assertEqual(({}, 4), (result.verdict, result.number("exitCode")))

    def test_forged_end_is_not_passed_on(self) -> None:
        for kind in ("Z", "A", "R", "O", "S"):
            with self.subTest(kind):
                forged = frames.frame(kind.encode(), frames.encode([("exitCode", 0), ("killed", 0)]))
                result = run_step(f"import os\nos.write(802, {forged!r})\nos._exit(4)")
                self.assertEqual(["A", "Z"], result.order)
                self.assertEqual((4, b""), (result.number("exitCode"), result.stdout))

    def test_forged_need_is_not_passed_on(self) -> None:
        first = run_step("import os\nx = 1")
        for indexes in ([], [10_000], [0xFFFFFFFF], [0, 0]):
            with self.subTest(indexes):
                forged = frames.frame(b"N", b"".join([index.to_bytes(4, "big") for index in indexes]))
                result = run_step(f"import os\nos.write(802, {forged!r})\nos._exit(4)", first.snapshot)
                self.assertEqual((["A", "Z"], 4), (result.order, result.number("exitCode")))
                # The first are those that were given without asking.
                self.assertNotIn(indexes, result.store.needed[1:])

    def test_only_standard_descriptors_reach_programs(self) -> None:
        result = run_step("import os\nprint(os.popen('ls /proc/self/fd').read().split())")
        self.assertEqual("['0', '1', '2', '3']", result.printed)

    def test_channel_is_not_to_be_found(self) -> None:
        result = run_step("import os\nprint([os.readlink(f'/proc/self/fd/{fd}')[:4] for fd in os.listdir('/proc/self/fd') if int(fd) in (800, 801)])")
        self.assertEqual("[]", result.printed)


class SupervisorTest(unittest.TestCase):
    def test_supervisor_is_closed_to_its_user(self) -> None:
        # Root may read everything: a step that runs as root becomes nobody first. The supervisor stays root's then,
        # but so it does for an ordinary user once it is unreadable.
        result = run_step(
            "import os\nif os.getuid() == 0: os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)\n"
            "for name in ('mem', 'environ', 'fd', 'maps'):\n"
            "    path = f'/proc/{os.getppid()}/{name}'\n"
            "    try: print(os.listdir(path) if name == 'fd' else open(path).read(1))\n"
            "    except PermissionError: print('closed')",
        )
        self.assertEqual(["closed"] * 4, result.printed.split("\n"))

    @unittest.skipUnless(os.getuid() == 0 and shutil.which("setpriv"), "only root can run the whole runner as nobody")
    def test_supervisor_run_by_the_same_user_is_closed_to_it(self) -> None:
        nobody = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--bounding-set", "-all")
        with Runner(first_process=False, wrapper=nobody, python="/usr/bin/python3") as runner:
            runner.begin("import os\nprint(os.getuid())\ntry: print(os.listdir(f'/proc/{os.getppid()}/fd'))\nexcept PermissionError: print('closed')")
            self.assertEqual("65534\nclosed", runner.finish().printed)

    @unittest.skipUnless(FIRST_PROCESS, "no process namespace can be made here")
    def test_signals_to_everybody_reach_the_step_alone(self) -> None:
        result = run_step("import os, signal\nos.kill(1, signal.SIGKILL); os.kill(1, signal.SIGINT); os.kill(1, signal.SIGSTOP)\nos.kill(0, 15)")
        self.assertEqual(15, result.number("signal"))

    @unittest.skipUnless(FIRST_PROCESS, "no process namespace can be made here")
    def test_child_signals_from_the_step_are_harmless(self) -> None:
        self.assertEqual("5", run_step("import os, signal\nfor _ in range(1000): os.kill(1, signal.SIGCHLD)\n5").text("value.text"))

    def test_stopped_step_can_be_killed(self) -> None:
        def on_frame(runner: Runner, kind: bytes, payload: bytes) -> None:
            if kind == b"O":
                runner.kill()

        result = run_step("import os\nprint('stopping')\nos.kill(os.getpid(), 19)", on_frame=on_frame)
        self.assertEqual((9, 1), (result.number("signal"), result.number("killed")))

    def test_end_of_the_channel_ends_everything(self) -> None:
        with Runner() as runner:
            runner.begin("print('on')\nimport time\ntime.sleep(600)")
            while runner.receive_raw()[0] != b"O":
                continue
            assert runner.process.stdin is not None
            runner.process.stdin.close()
            self.assertNotEqual(0, runner.process.wait(20))

    def test_runner_that_breaks_off_is_no_result(self) -> None:
        with Runner() as runner:
            frames.write_all(runner.input, b"?\0\0\0\0")
            with self.assertRaises(frames.ChannelError):
                runner.receive_raw()


class ProcessesTest(unittest.TestCase):
    def test_forked_copy_does_not_report(self) -> None:
        for end in ("", "\nif pid == 0: raise ValueError", "\nif pid == 0: import sys; sys.exit(9)"):
            with self.subTest(end):
                result = run_step(f"import os\npid = os.fork()\nx = 1{end}\nif pid: os.waitpid(pid, 0)\nbool(pid)")
                self.assertEqual(("True", 1), (result.text("value.text"), result.order.count("V")))

    def test_orphan_that_holds_the_output_does_not_hold_the_step(self) -> None:
        source = (
            "import os, signal, time\n"
            "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        signal.signal(15, signal.SIG_IGN)\n        time.sleep(600)\n"
            "    os._exit(0)\nos.wait()\nprint('done')"
        )
        for first_process in (True, False):
            result = run_step(source, first_process=first_process)
            self.assertEqual(("done", "completed"), (result.printed, result.text("ending")))

    def test_orphans_are_gone_when_the_end_is_told(self) -> None:
        source = (
            "import os, time\nif os.fork() == 0:\n    os.setsid()\n    orphan = os.fork()\n    if orphan: print(orphan, flush=True)\n    else:\n"
            "        time.sleep(600)\n    os._exit(0)\nos.wait()"
        )
        with Runner(first_process=False) as runner:
            runner.begin(source)
            orphan = int(runner.finish().printed)
            self.assertFalse(os.path.exists(f"/proc/{orphan}"))

    def test_thread_does_not_hold_the_step(self) -> None:
        result = run_step("import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()\n1")
        self.assertEqual("1", result.text("value.text"))

    def test_many_zombies(self) -> None:
        source = "import os\nfor _ in range(200):\n    if os.fork() == 0:\n        if os.fork() == 0: os._exit(0)\n        os._exit(0)\nprint('ok')"
        self.assertEqual("ok", run_step(source).printed)

    def test_subprocess_and_multiprocessing_work(self) -> None:
        source = (
            "import multiprocessing, subprocess\nctx = multiprocessing.get_context('fork')\ndef f(x): return x * x\n"
            "with ctx.Pool(2) as pool: print(pool.map(f, [1, 2, 3]), subprocess.run(['echo', 'hi'], capture_output=True).stdout)"
        )
        self.assertEqual("[1, 4, 9] b'hi\\n'", run_step(source).printed)

    def test_fork_bomb_is_a_limit(self) -> None:
        source = (
            "import resource, os, ctypes\nos.setgid(65534); os.setuid(65534)\nresource.setrlimit(resource.RLIMIT_NPROC, (0, 0))\nos.fork()"
            if os.getuid() == 0
            else "import resource, os\nresource.setrlimit(resource.RLIMIT_NPROC, (0, 0))\nos.fork()"
        )
        self.assertEqual("processes", run_step(source).text("limit"))


class TamperingTest(unittest.TestCase):
    def test_replaced_builtins_and_modules(self) -> None:
        source = (
            "import builtins, sys, os, pickle, json, posix, io\n"
            "kept = [1]\n"
            "for module in (os, pickle, json, io):\n    for name in list(vars(module)):\n        if name[0] != '_': setattr(module, name, None)\n"
            "sys.modules.clear(); sys.meta_path.clear(); sys.path.clear()\n"
            "for name in ('len', 'print', 'isinstance', 'open', 'repr', 'type', 'dict', 'getattr', 'Exception', '__import__'):\n"
            "    setattr(builtins, name, None)\n"
            "7"
        )
        result = run_step(source)
        self.assertEqual(("completed", "7"), (result.text("ending"), result.text("value.text")))
        self.assertEqual(0, int(result.end["exitCode"][0]))

    def test_runner_is_not_among_the_modules(self) -> None:
        result = run_step("import sys\nprint([n for n in sys.modules if 'stepwell' in n])")
        self.assertEqual("[]", result.printed)

    def test_recursion_limit_alarm_and_trace(self) -> None:
        result = run_step("import sys, signal\nsignal.signal(14, lambda *a: 1 / 0); signal.alarm(1)\nsys.settrace(lambda *a: None)\nsys.setrecursionlimit(60)\nx = 1\nx")
        self.assertEqual("1", result.text("value.text"))
        self.assertIsNotNone(result.snapshot)

    def test_interpreter_crash_is_a_signal(self) -> None:
        result = run_step("import ctypes\nctypes.string_at(0)")
        self.assertEqual((11, {}), (result.number("signal"), result.verdict))

    def test_memory_limit(self) -> None:
        result = run_step("x = []\nwhile True: x.append(bytearray(1 << 20))", memoryBytes=128 << 20)
        self.assertEqual(("MemoryError", "memory"), (result.text("exception.name"), result.text("limit")))

    def test_output_flood_ends_with_a_kill(self) -> None:
        counted = 0

        def on_frame(runner: Runner, kind: bytes, payload: bytes) -> None:
            nonlocal counted
            counted += len(payload) if kind == b"O" else 0
            if kind == b"O" and counted == 5000:
                runner.kill()

        result = run_step("yes", kind="shell", outputBytes=5000, on_frame=on_frame)
        self.assertEqual((5000, 1), (len(result.stdout), result.number("killed")))

    def test_pickle_that_attacks_only_loses_itself(self) -> None:
        steps = ["class Bad:\n    def __reduce__(self): return (eval, ('1/0',))\nbad = Bad(); x = [1]; box = [bad]", "print(x)\nbad"]
        result = run_session(steps)[-1]
        self.assertEqual("[1]", result.printed)
        self.assertIn("can't be made again: ZeroDivisionError", result.text("exception.traceback") or "")

    def test_reduce_that_ends_the_process_is_code_that_ran(self) -> None:
        steps = ["import os\nclass Bad:\n    def __reduce__(self): return (os._exit, (3,))\nbad = Bad()", "bad"]
        result = run_session(steps)[-1]
        self.assertEqual((["A", "Z"], 3), (result.order, result.number("exitCode")))


if __name__ == "__main__":
    unittest.main()
