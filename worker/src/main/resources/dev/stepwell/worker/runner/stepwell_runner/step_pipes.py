"""The four pipes between the supervisor and the step's process."""
import posix

from stepwell_runner.descriptors import CLAIMS, TASK, move_high, open_null


class StepPipes:
    """Made before the fork; each side then keeps its ends. Afterwards the attributes name the side's own ends.

    ``task`` leads to the step's process, ``stdout``, ``stderr`` and ``claims`` lead back.
    """

    def __init__(self) -> None:
        self._task = posix.pipe()
        self._stdout = posix.pipe()
        self._stderr = posix.pipe()
        self._claims = posix.pipe()
        self.task = self.stdout = self.stderr = self.claims = -1

    def keep_supervisor_ends(self) -> None:
        """For the supervisor: nothing it reads or writes here may block it."""
        self.task = self._task[1]
        self.stdout, self.stderr, self.claims = self._stdout[0], self._stderr[0], self._claims[0]
        for descriptor in (self._task[0], self._stdout[1], self._stderr[1], self._claims[1]):
            posix.close(descriptor)
        for descriptor in (self.task, self.stdout, self.stderr, self.claims):
            posix.set_blocking(descriptor, False)

    def keep_step_ends(self) -> None:
        """For the step's process: its standard descriptors, and two of the runner's own, out of the way."""
        null = open_null()
        self.stdout, self.stderr = 1, 2
        for descriptor, standard in ((null, 0), (self._stdout[1], 1), (self._stderr[1], 2)):
            posix.dup2(descriptor, standard)
        self.claims = move_high(self._claims[1], CLAIMS)
        self.task = move_high(self._task[0], TASK)
        for descriptor in (null, *self._task, *self._stdout, *self._stderr, *self._claims):
            if descriptor not in (self.claims, self.task):
                posix.close(descriptor)
