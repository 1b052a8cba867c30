"""Reports that are plain text."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.strings import Strings


class Texts(Struct, frozen=True, eq=False):
    """Summaries printed by Poplar (graph.txt, execution.txt). ``names``: one per file, whose lines are
    ``lines[first[f]:first[f + 1]]``."""

    SECTION: ClassVar[str] = "texts"
    names: tuple[str, ...]
    first: tuple[int, ...]
    lines: Strings
