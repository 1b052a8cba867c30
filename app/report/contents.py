"""What is on the page: texts, figures, tables and pictures, formatted."""

from __future__ import annotations

from msgspec import Struct


class Chart(Struct, frozen=True):
    """A picture: ``light``, ``dark``: SVG texts for each theme."""

    title: str
    light: bytes
    dark: bytes


class Statement(Struct, frozen=True):
    """One of the first lines. ``state``: good, bad, doubtful or plain."""

    state: str
    sign: str
    text: str
    details: tuple[str, ...]


class FindingText(Struct, frozen=True):
    """A finding; ``evidence``: (what, figure, link); ``saving``, ``formula``: "" without a bound. Links lead the window
    to the place."""

    severity: str
    sign: str
    title: str
    text: str
    saving: str
    formula: str
    rule: str
    evidence: tuple[tuple[str, str, str], ...]
    link: str


class FigureText(Struct, frozen=True):
    """A main figure; ``depth`` 1: a part of the one above."""

    label: str
    value: str
    help: str
    depth: int


class FigureTexts(Struct, frozen=True):
    """Figures under a heading."""

    title: str
    figures: tuple[FigureText, ...]


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


class Difference(Struct, frozen=True):
    """A figure or row before and after; ``where``: the table that it stands in, "" for main figures."""

    what: str
    where: str
    before: str
    after: str
    difference: str
    change: str
    sign: str


class ComparisonText(Struct, frozen=True):
    """``explained``: the rows that explain the difference most."""

    baseline: str
    limits: tuple[str, ...]
    figures: tuple[Difference, ...]
    explained: tuple[Difference, ...]


class FileFact(Struct, frozen=True):
    """A file that the profile was read from."""

    name: str
    size: str
    sha256: str


class ReportText(Struct, frozen=True):
    """The whole page."""

    title: str
    subtitle: str
    statements: tuple[Statement, ...]
    findings: tuple[FindingText, ...]
    not_checked: tuple[tuple[str, str], ...]
    figures: tuple[FigureTexts, ...]
    charts: tuple[Chart, ...]
    tables: tuple[TableText, ...]
    comparison: ComparisonText | None
    issues: tuple[tuple[str, str, str], ...]
    files: tuple[FileFact, ...]
    settings: tuple[tuple[str, str], ...]
