"""The runner: what lives in a sandbox beside the step's code.

``supervisor`` holds the channel to the worker, ``step_process`` is its only child, and everything else belongs to the
child. Standard library only; what every sandbox imports is C modules, because a sandbox's start is paid per step.
"""
