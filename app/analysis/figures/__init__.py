"""The main figures of a profile, under the names that `info --json` prints (cli: figures)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from app.analysis.table import Unit
from app.profile.profile import Profile

Value: TypeAlias = int | float | str | bool | Sequence[object] | Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Figure:
    """``name`` is the dotted key of `info --json`; ``label`` and ``unit`` are for people; ``help`` is the
    formula or the place in the file."""

    name: str
    label: str
    value: Value
    unit: Unit = ""
    help: str = ""


SOURCES: tuple[Callable[[Profile], list[Figure]], ...] = ()


def figures(profile: Profile) -> list[Figure]:
    """All figures that apply to ``profile``, families in their order; one that does not apply is left out."""
    return [figure for source in SOURCES for figure in source(profile)]
