"""What is computed from a record once and kept with it, for as long as the record lives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

Record = TypeVar("Record", bound=Struct)
Made = TypeVar("Made")


def kept(record: Record, make: Callable[[Record], Made]) -> Made:
    """What ``make`` (a function of a module) returns for ``record`` (``dict=True``), computed once. Two threads
    that ask at the same time may both compute it."""
    name = f"{make.__module__}.{make.__qualname__}"
    memory = record.__dict__
    if name not in memory:
        memory[name] = make(record)
    made: Made = memory[name]
    return made
