"""The nearest widget that can do something: from the one with the keyboard outwards."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QWidget

Ability = TypeVar("Ability")


def nearest(start: QWidget | None, ability: type[Ability]) -> Ability | None:
    """``start`` itself or the closest widget around it that has ``ability`` (a runtime-checkable protocol)."""
    here = start
    while here is not None:
        if isinstance(here, ability):
            return here
        here = here.parentWidget()
    return None
