"""What a part of a profile is called, and how long it took."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from app.analysis.table import Unit
from app.language import tr
from app.profile.selection import TimeRange

PartKind: TypeAlias = Literal["block", "core", "sub-core", "process", "rank", "ipu", "replica", "range", "iteration"]
TITLES: Final[dict[PartKind, str]] = {
    "block": tr("Blocks"),
    "core": tr("Cores"),
    "sub-core": tr("Sub-cores"),
    "process": tr("Processes"),
    "rank": tr("Ranks"),
    "ipu": tr("IPUs"),
    "replica": tr("Replicas"),
    "range": tr("Time ranges"),
    "iteration": tr("Iterations"),
}


class ProfilePart(Struct, frozen=True):
    """A part of a profile. ``id`` names it among those of its kind: a name or number of the file, the two ends of a
    range, the number of an iteration from 1. ``amount``: how long it took or how much it holds, in ``unit`` (None: not
    known). ``stretch``: of ranges and iterations, in the unit of the timeline."""

    kind: PartKind
    id: str
    label: str
    amount: float | None = None
    unit: Unit = ""
    stretch: TimeRange | None = None

    @property
    def name(self) -> str:
        """Its name on the command line: ``block=3``."""
        return f"{self.kind}={self.id}"


class PartList(Struct, frozen=True):
    """The parts of one kind, in the order of the file. ``help``: what they are, and how they were recognised."""

    kind: PartKind
    parts: tuple[ProfilePart, ...]
    help: str

    @property
    def title(self) -> str:
        return TITLES[self.kind]
