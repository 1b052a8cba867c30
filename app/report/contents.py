"""What is on the page of a report: parts, each a section of the document that panels and the command line show, too."""

from __future__ import annotations

from msgspec import Struct

from app.views.pages.document import Section


class Chart(Struct, frozen=True):
    """A picture: ``light``, ``dark``: SVG texts for each theme."""

    title: str
    light: bytes
    dark: bytes


class Head(Struct, frozen=True):
    """The header of a column. ``number``: its cells are numbers."""

    title: str
    help: str
    number: bool


class Cell(Struct, frozen=True):
    """``key``: what the rows are sorted by, "" without data."""

    text: str
    key: str
    number: bool


class TableText(Struct, frozen=True):
    """A table; ``id``: its name for `export --table`; ``left_out``: how many rows are not on the page."""

    id: str
    title: str
    note: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[Cell, ...], ...]
    left_out: str


class ReportText(Struct, frozen=True):
    """The whole page. ``figures``: one section a group; ``names``: of the files."""

    title: str
    subtitle: str
    summary: Section
    findings: Section | None
    comparison: Section | None
    charts: tuple[Chart, ...]
    tables: tuple[TableText, ...]
    figures: tuple[Section, ...]
    provenance: Section
    names: tuple[str, ...]
