"""What a reader or a check found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Severity: TypeAlias = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Issue:
    """``where`` names the file and the place in it (``graph.json: memory.byTile.total[1]``, ``a.bin: byte 96``)."""

    severity: Severity
    where: str
    text: str
