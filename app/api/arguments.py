"""Checks of what scripts pass: TypeError for what is not of the type, in plain words."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from numbers import Real
from operator import index
from typing import SupportsIndex, TypeAlias

AnyPath: TypeAlias = str | os.PathLike[str]


def text(what: str, value: object) -> str:
    """``value``, which must be a text; ``what`` names it."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is a str, not {value!r}")
    return value


def path_of(value: object) -> str:
    """``value``, which must be a path; ValueError for an empty one."""
    name = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(name, str):
        raise TypeError(f"a path is a str or a Path, not {value!r}")
    if not name:
        raise ValueError("the name of a file is empty")
    return name


def whole(what: str, value: object, least: int = 0) -> int:
    """``value``, which must be a whole number; ValueError below ``least``."""
    if not isinstance(value, SupportsIndex) or isinstance(value, bool):
        raise TypeError(f"{what} is a whole number, not {value!r}")
    if index(value) < least:
        raise ValueError(f"{what} is {least} or more, not {value}")
    return index(value)


def is_number(value: object) -> bool:
    """Whether it is a real number, also one of numpy, and no bool."""
    return isinstance(value, Real) and not isinstance(value, bool)


@contextmanager
def intact(check: Callable[[], None]) -> Iterator[None]:
    """``check`` raises if what was read meanwhile is wrong, or cannot be read, because columns were truncated."""
    try:
        yield
    except Exception:
        check()
        raise
    check()
