"""The last step into a sandbox, as its first process: sets what enroot leaves open, and becomes the command.

Arguments: the system call filter in hexadecimal; the most processes, or "-" where a control group limits them; the working
folder; how many variables the environment has; the variables, as NAME=VALUE; and the command.
"""

import sys


def _install(program):
    import ctypes

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]

    no_new_privileges, set_filter, mode_filter, instruction_bytes = 38, 22, 2, 8
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl.argtypes = [ctypes.c_int] + [ctypes.c_void_p] * 4
    held = Program(len(program) // instruction_bytes, program)
    if prctl(no_new_privileges, 1, None, None, None) or prctl(
        set_filter, mode_filter, ctypes.addressof(held), None, None
    ):
        sys.exit(f"stepwell: no system call filter could be installed: error {ctypes.get_errno()}")


def _limit_processes(most):
    import resource

    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))


def _main(filter_hex, processes, folder, count, *rest):
    import os

    environment = dict(each.split("=", 1) for each in rest[: int(count)])
    command = rest[int(count) :]
    os.chdir(folder)
    if processes != "-":
        _limit_processes(int(processes))
    _install(bytes.fromhex(filter_hex))
    try:
        os.execvpe(command[0], command, environment)
    except OSError as e:
        print(f"stepwell: {command[0]} can't be run: {e.strerror}", file=sys.stderr)
        os._exit(127)


_main(*sys.argv[1:])
