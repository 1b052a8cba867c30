"""The closest widget with an ability, from the focus outwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from PySide6.QtWidgets import QWidget

from app.widgets.abilities import HasPicture, StandsFor
from app.widgets.homing import outwards
from app.widgets.tabular import Tabular

Thing = TypeVar("Thing")


def nearest(start: QWidget | None, ability: type[Thing]) -> Thing | None:
    """Returns ``start`` itself or its closest ancestor that has ``ability``, or None."""
    return next((here for here in _outwards(start) if isinstance(here, ability)), None)


def nearest_table(start: QWidget | None) -> Tabular | None:
    """Returns the table whose rows are copied and exported: the closest one, or that of the closest StandsFor."""
    for here in _outwards(start):
        if isinstance(here, StandsFor):
            return here.tabular()
        if isinstance(here, Tabular):
            return here
    return None


def nearest_picture(start: QWidget | None) -> tuple[HasPicture, tuple[int, int]] | None:
    """Returns the closest picture, and its size in logical pixels; None if there is none."""
    for here in _outwards(start):
        if isinstance(here, StandsFor):
            picture = here.picture()
            return None if picture is None else (picture, here.picture_size())
        if isinstance(here, HasPicture):
            return here, (here.width(), here.height())
    return None


def _outwards(start: QWidget | None) -> Iterator[QWidget]:
    while start is not None:
        yield start
        start = outwards(start)
