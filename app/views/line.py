"""A labelled value of a page of facts."""

from __future__ import annotations

from msgspec import Struct


class Line(Struct, frozen=True):
    """A labelled value; ``help``: its tool tip; ``depth`` 1: a part of the line above."""

    label: str
    value: str
    help: str = ""
    depth: int = 0
