"""Completes what an operator file says of the operator by what only the tables say."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from msgspec.structs import fields, replace

from app.profile.ascend import Operator
from app.profile.profile import Section, Target

COMPLETED: Final = (Operator, Target)
"""Sections of facts, each of which an operator file may lack: a simulator knows little of a run."""
_UNKNOWN: Final = (None, "", ())

_Facts = TypeVar("_Facts", Operator, Target)


def completed(stored: Section, tabled: Section) -> Section | None:
    """``stored`` with the facts that only ``tabled`` has; None where there are none, or for other sections."""
    match stored, tabled:
        case (Operator(), Operator()):
            return _filled(stored, tabled)
        case (Target(), Target()):
            return _filled(stored, tabled)
        case _:
            return None


def _filled(stored: _Facts, tabled: _Facts) -> _Facts | None:
    more: dict[str, Any] = {}
    for field in fields(stored):
        known, other = getattr(stored, field.name), getattr(tabled, field.name)
        if known in _UNKNOWN and other not in _UNKNOWN:
            more[field.name] = other
    return replace(stored, **more) if more else None
