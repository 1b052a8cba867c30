"""Reports that are plain text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.profile.strings import Strings


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Summaries printed by Poplar (graph.txt, execution.txt). ``names``: one per file, whose lines are
    ``lines[first[f]:first[f + 1]]``."""

    SECTION: ClassVar[str] = "texts"
    names: tuple[str, ...]
    first: tuple[int, ...]
    lines: Strings
