"""Where the runner's descriptors are: high, so that step code which closes or fills the low ones misses them."""
import posix

CHANNEL_IN = 800
CHANNEL_OUT = 801
CLAIMS = 802
TASK = 803


def move_high(descriptor: int, wanted: int) -> int:
    """Duplicates a descriptor to a high number that programs started later don't inherit."""
    try:
        return posix.dup2(descriptor, wanted, inheritable=False)
    except OSError:
        # The limit on open files is lower than usual: any number is better than none.
        return posix.dup(descriptor)


def open_null() -> int:
    """The null device, for reading and writing."""
    return posix.open("/dev/null", posix.O_RDWR | posix.O_CLOEXEC)
