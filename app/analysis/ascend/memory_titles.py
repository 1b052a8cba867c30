"""What the columns of memory tables are called, and their units: one name for one quantity, whoever wrote the file
(Ascend operator files, section 2.10)."""

from __future__ import annotations

import re

from app.analysis.table import Unit
from app.language import tr

TITLES = {
    "hit": tr("Hits"),
    "miss": tr("Misses"),
    "hit rate": tr("Hit rate"),
    "peak": tr("Peak share"),
    "cycle": tr("Cycles"),
    "active bw": tr("Active bandwidth"),
}
"""Titles of the file that have another name elsewhere in the program."""
_UNITS: dict[str, Unit] = {"gb/s": "GB/s", "%": "%", "us": "µs", "μs": "µs", "µs": "µs"}
_IMPLIED: dict[str, Unit] = {"cycle": "cycles", "cycles": "cycles", "throughput": "GB/s"}
"""Units that the titles of earlier writers leave out: of the last word, or of all of them. That of a hit rate is not
known then (a fraction or a percentage)."""
_TITLE = re.compile(r"\s*(?P<words>.*?)\s*(?:\((?P<unit>[^()]*)\))?\s*")


def title_and_unit(written: str) -> tuple[str, Unit]:
    """The name of a column that the file calls ``written``, without its unit, and that unit."""
    parts = _TITLE.fullmatch(written)
    words, unit = (parts["words"], (parts["unit"] or "").lower()) if parts else (written, "")
    if unit and unit not in _UNITS:
        return written, ""
    lowered = words.lower()
    implied: Unit = _IMPLIED.get(lowered) or _IMPLIED.get(lowered.rsplit(" ", 1)[-1], "")
    return TITLES.get(lowered, words[:1].upper() + words[1:]), _UNITS.get(unit, implied)
