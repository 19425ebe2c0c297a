"""Lets a model that can see look at the figures that its code has shown."""

from __future__ import annotations

from typing import Any

# Of older steps, figures are taken out of the agent's memory: they cost a model more than they tell
# it.
_STEPS_WITH_FIGURES = 2


def attach_figures(memory_step: Any, agent: Any) -> None:
    """A step callback: puts the images of the agent's last step into its observations.

    Use it as ``CodeAgent(..., step_callbacks=[attach_figures])``. Those of all but the last two
    steps are taken out again.
    """
    images = getattr(agent.python_executor, "images", None)
    if not hasattr(memory_step, "observations_images"):
        return  # no step that ran code
    if images:
        memory_step.observations_images = [*(memory_step.observations_images or []), *images]
        agent.python_executor.images = []
        memory_step._stepwell_figures = len(images)
    number = getattr(memory_step, "step_number", None)
    for earlier in agent.memory.steps:
        count = getattr(earlier, "_stepwell_figures", 0)
        if count and number is not None and earlier.step_number <= number - _STEPS_WITH_FIGURES:
            earlier.observations_images = earlier.observations_images[:-count] or None
            earlier._stepwell_figures = 0
