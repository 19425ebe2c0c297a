"""Runs what recurses deeper than the main thread's stack allows: pickling a long chain of objects, mostly."""
import _thread
import sys

# Virtual until touched, but counted against the limit on memory: the first that the system grants is taken.
_STACK_BYTES = (1 << 30, 512 << 20, 128 << 20, 32 << 20)
# What pickling takes of the stack for a level of nesting, generously.
_BYTES_PER_LEVEL = 1024


def run_deep(work):
    """Calls ``work`` on a thread with a large stack, and returns or raises what it does."""
    before = sys.getrecursionlimit()
    for stack_bytes in _STACK_BYTES:
        result: list = []
        done = _thread.allocate_lock()
        done.acquire()
        previous = _thread.stack_size(stack_bytes)
        try:
            sys.setrecursionlimit(max(before, stack_bytes // _BYTES_PER_LEVEL))
            _thread.start_new_thread(_work, (work, result, done))
            done.acquire()
        except RuntimeError:
            # No room for a stack of this size.
            continue
        finally:
            _thread.stack_size(previous)
            sys.setrecursionlimit(before)
        value, error = result[0]
        if error is not None:
            raise error
        return value
    raise RecursionError("nested too deeply for the memory there is")


def _work(work, result: list, done) -> None:
    try:
        result.append((work(), None))
    except BaseException as error:  # noqa: B036 - handed over, not handled
        result.append((None, error))
    finally:
        done.release()
