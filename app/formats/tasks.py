"""The tasks that helper processes can run, by name."""

from __future__ import annotations

from typing import Any

from app.formats.pool import Task


def by_name(name: str) -> Task[Any, Any]:
    """The task of that name; its module is imported now. KeyError for an unknown one."""
    if name == "trace":
        from app.formats.ascend_trace import gather

        return gather.TASK
    if name == "steps":
        from app.formats.poplar import steps

        return steps.TASK
    if name == "cbor_steps":
        from app.formats.poplar import steps_in_cbor

        return steps_in_cbor.TASK
    if name == "rows":
        from app.formats.json import numbers

        return numbers.TASK
    if name == "instructions":
        from app.formats.ascend_bin import instructions

        return instructions.TASK
    raise KeyError(name)
