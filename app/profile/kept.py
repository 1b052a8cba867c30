"""What is computed from a record once and kept with it, for as long as the record lives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

Record = TypeVar("Record", bound=Struct)
Made = TypeVar("Made")


def kept(record: Record, make: Callable[[Record], Made], name: str = "") -> Made:
    """What ``make`` (a function of a module) returns for ``record`` (``dict=True``), computed once. ``name``: of what
    is made, for a ``make`` that is made itself. Two threads that ask at the same time may both compute it."""
    key = name or f"{make.__module__}.{make.__qualname__}"
    memory = record.__dict__
    if key not in memory:
        memory[key] = make(record)
    made: Made = memory[key]
    return made


def is_kept(record: Struct, name: str) -> bool:
    """Whether what has that name is made."""
    return name in record.__dict__
