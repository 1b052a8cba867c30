"""Reads text summaries as lines, unchanged."""

from __future__ import annotations

from typing import Final

from app.formats.poplar.report import Report
from app.formats.source import Source
from app.language import plural
from app.profile.poplar import Texts
from app.profile.strings import Strings

MOST_BYTES: Final = 16 << 20
MOST_LINES: Final = 400_000
LONGEST: Final = 2_000


class TextsReader:
    """Collects the texts of several files into one section."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._first = [0]
        self._lines: list[str] = []

    def read(self, source: Source, report: Report) -> None:
        """Adds the lines of a file, up to MOST_BYTES and MOST_LINES; reports where it is cut off."""
        size = min(source.size, MOST_BYTES)
        text = source.read(0, size).decode("utf-8-sig", "replace")
        lines = text.splitlines()
        if source.size > size or len(lines) > MOST_LINES:
            lines = lines[:MOST_LINES]
            report.issue(
                "warning",
                "",
                plural(
                    "only its first {count:,} line is shown; open it in a text editor for the rest",
                    "only its first {count:,} lines are shown; open it in a text editor for the rest",
                    count=len(lines),
                ),
            )
        self._lines += [line if len(line) <= LONGEST else f"{line[:LONGEST]} …" for line in lines]
        self._names.append(report.name)
        self._first.append(len(self._lines))

    def done(self) -> Texts | None:
        return Texts(tuple(self._names), tuple(self._first), Strings.of(self._lines)) if self._names else None
