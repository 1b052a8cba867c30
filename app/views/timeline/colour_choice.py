"""What the colours of a timeline can go by."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from app.language import tr

ColourBy: TypeAlias = Literal["auto", "name", "category", "process", "duration", "argument"]
CHOICES: Final[tuple[ColourBy, ...]] = get_args(ColourBy)
TITLES: Final[dict[ColourBy, str]] = {
    "auto": tr("Automatic"),
    "name": tr("Name"),
    "category": tr("Category"),
    "process": tr("Process"),
    "duration": tr("Duration"),
    "argument": tr("Argument…"),
}
