"""The main figures of a profile as sections, beside those of a baseline, and its files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from app.analysis.figures import Figure
from app.analysis.table import Unit
from app.language import labelled, plural, tr
from app.profile.profile import Profile
from app.views.look import Look
from app.views.pages.document import Line, Section
from app.views.texts import first_names
from app.views.units import NO_DATA, Cell, change, exact, format_value, percent_change

if TYPE_CHECKING:
    from app.analysis.compare.comparison import ComparedFigure

GROUPS = {
    "target": tr("Machine"),
    "graph": tr("Graph"),
    "vertex_types": tr("Graph"),
    "programs": tr("Graph"),
    "exchanges": tr("Graph"),
    "memory": tr("Memory"),
    "liveness": tr("Liveness"),
    "execution": tr("Execution"),
    "operator": tr("Operator"),
    "capture": tr("Capture"),
    "cluster": tr("Ranks"),
    "pypto": tr("Tasks"),
    "timeline": tr("Timeline"),
    "time": tr("Critical path"),
    "popef": tr("Model"),
    "events": tr("Events"),
    "onchip": tr("On-chip memory"),
    "tensors": tr("Tensors"),
    "tenstorrent": "Tenstorrent",
}
REST = tr("File")
"""The group of figures without another group; it comes last."""
MOST_PARTS = 30
"""Entries shown of a figure that is a list or a map; a table has all of them."""
MOST_LISTED = 12


def figure_sections(
    figures: Sequence[Figure], look: Look | None, clock_hz: float | None, baseline: Baseline | None = None
) -> list[Section]:
    """The figures under their headings, in their original order; each beside that of the ``baseline``, if it is known.
    What only the baseline has comes last."""
    lines_by_title: dict[str, list[Line]] = {}
    for figure in (figure for figure in figures if figure.label):
        title = GROUPS.get(figure.name.split(".")[0], REST)
        lines_by_title.setdefault(title, []).extend(lines(figure, look, clock_hz, baseline))
    lines_by_title = {title: lines_by_title[title] for title in sorted(lines_by_title, key=lambda title: title == REST)}
    if baseline is not None and (gone := list(baseline.gone(look))):
        lines_by_title[tr("Only in the baseline")] = gone
    return [Section(title, tuple(entries)) for title, entries in lines_by_title.items()]


def lines(
    figure: Figure, look: Look | None, clock_hz: float | None, baseline: Baseline | None = None
) -> Iterator[Line]:
    """One line for a plain figure; a map has a line for each entry below it."""
    clock_hz = clock_hz if figure.clocked else None
    for name, line in _lines(figure, look, clock_hz):
        yield line if baseline is None or not name else baseline.beside(name, line, look, clock_hz)


def _lines(figure: Figure, look: Look | None, clock_hz: float | None) -> Iterator[tuple[str, Line]]:
    """The lines, each with the name of what it shows ("" for a heading)."""
    value = figure.display
    if isinstance(value, Mapping) and not figure.unit and all(type(part) is int for part in value.values()):
        counted = ", ".join(f"{part:,}\u00a0×\u00a0{key}" for key, part in value.items())
        yield f"{figure.name}.", Line(figure.label, counted or tr("none"), _help(figure, None))
    elif isinstance(value, Mapping):
        yield "", Line(figure.label, "" if value else tr("none"), _help(figure, None))
        names = dict(zip(value, figure.value, strict=True)) if isinstance(figure.value, Mapping) else {}
        for key, part in list(_ordered(value))[:MOST_PARTS]:
            name = "" if isinstance(part, Mapping) else f"{figure.name}.{names.get(key, key)}"
            help_ = _part_help(key, part, figure.unit)
            yield name, Line(str(key), _part(part, figure.unit, look, clock_hz), help_, 1)
        if len(value) > MOST_PARTS:
            yield "", Line(tr("and {count:,} more", count=len(value) - MOST_PARTS), "", "", 1)
    elif isinstance(value, str | bool | int | float):
        shown = format_value(value, figure.unit, look, clock_hz)
        yield (
            figure.name,
            Line(figure.label, shown, _help(figure, value if isinstance(value, int | float) else None)),
        )
    else:
        yield figure.name, Line(figure.label, _listed(value), _help(figure, None))


def _ordered(parts: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yields amounts by falling value; anything else in its original order."""
    if all(isinstance(part, int | float) and not isinstance(part, bool) for part in parts.values()):
        yield from sorted(parts.items(), key=lambda entry: -float(str(entry[1])))
    else:
        yield from parts.items()


def _part(part: object, unit: Unit, look: Look | None, clock_hz: float | None) -> str:
    if isinstance(part, Mapping):
        return ", ".join(f"{_part(inner, '', look, clock_hz)}\u00a0{key}" for key, inner in part.items())
    return format_value(_cell(part), unit, look, clock_hz)


def _part_help(key: str, part: object, unit: Unit) -> str:
    return labelled(key, exact(_cell(part), unit)) if isinstance(part, int | float) else ""


def _cell(part: object) -> Cell:
    return part if part is None or isinstance(part, str | bool | int | float) else str(part)


def _listed(values: Sequence[object]) -> str:
    shown = ", ".join(format_value(_cell(value), "") for value in values[:MOST_LISTED])
    return shown + (tr(" and {count:,} more", count=len(values) - MOST_LISTED) if len(values) > MOST_LISTED else "")


def _help(figure: Figure, value: float | None) -> str:
    full = "" if value is None or isinstance(value, bool) else exact(value, figure.unit)
    return "\n".join(part for part in (figure.help, full, tr("{figure} in `info --json`", figure=figure.name)) if part)


def unsaid(sections: Sequence[Section], names: Set[str], said: Set[str]) -> Iterator[Section]:
    """The sections without lines that say what a page says above them: one of its ``names``, or what is ``said``."""
    for section in sections:
        blocks = tuple(
            block
            for block in section.blocks
            if not isinstance(block, Line)
            or (block.value not in names and labelled(block.label, block.value) not in said)
        )
        if blocks:
            yield replace(section, blocks=blocks)


def files_of(profile: Profile) -> str:
    """The names of the files, or the folder of a report and their number."""
    paths = profile.origin.paths
    folder = None if profile.entries is None else profile.entries.folder(paths)
    if folder is not None:
        return plural(
            "{folder} ({count:,} file)",
            "{folder} ({count:,} files)",
            count=len(paths),
            folder=folder.name or folder,
        )
    return ", ".join(first_names([path.name for path in paths]))


MOST_PARTS_COMPARED = 12


class Baseline(Struct, frozen=True):
    """``figures``: by name; parts of a figure have its name and their own, ``memory.by_category.stack``."""

    figures: Mapping[str, ComparedFigure]

    def beside(self, name: str, line: Line, look: Look | None, clock_hz: float | None) -> Line:
        """The line of a figure with the columns of the baseline; a text that differs is followed by the former one. A
        name that ends in a full stop stands for all parts of a figure."""
        if name.endswith("."):
            return _with_text(line, self._parts(name))
        figure = self.figures.get(name)
        if figure is None:
            return line
        if figure.before is None and not _is_number(figure.after):
            return _with_text(line, NO_DATA)
        if figure.before is None:
            return _in_columns(line, NO_DATA, help_=tr("not in the baseline"))
        before = format_value(figure.display[0], figure.unit, look, clock_hz)
        if figure.why:
            return _in_columns(line, before, NO_DATA, help_=tr("baseline not comparable: {why}", why=figure.why))
        difference = figure.difference
        if difference is None:
            return _with_text(line, before if figure.changed else "")
        if not difference:
            return _in_columns(line, before)
        assert isinstance(figure.before, int | float)
        percent = percent_change(difference, figure.before) if figure.before and figure.unit != "%" else ""
        return _in_columns(line, before, change(difference, figure.unit, look, clock_hz), percent)

    def gone(self, look: Look | None) -> Iterator[Line]:
        """The figures that only the baseline has."""
        for figure in self.figures.values():
            if figure.after is None and figure.before is not None and figure.label:
                before, number = format_value(figure.display[0], figure.unit, look), _is_number(figure.before)
                line = Line(figure.label, NO_DATA if number else before, figure.id)
                yield _in_columns(line, before) if number else line

    def _parts(self, name: str) -> str:
        parts = [(key.removeprefix(name), one) for key, one in self.figures.items() if key.startswith(name)]
        if not any(one.changed for _, one in parts):
            return ""
        return ", ".join(f"{one.before or 0:,}\u00a0×\u00a0{key}" for key, one in parts[:MOST_PARTS_COMPARED])


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


AMOUNT: Final = re.compile(r"([+−]?[\d,.]+)[ \u00a0](\S+)")
"""A number with its unit."""


def _in_columns(line: Line, before: str, difference: str = "", percent: str = "", help_: str = "") -> Line:
    """The line with these columns. A unit that all have stands behind the label."""
    texts = line.value, before, difference
    amounts = [AMOUNT.fullmatch(text) for text in texts if text and text != NO_DATA]
    units = {amount[2] if amount else "" for amount in amounts}
    help_ = "\n".join(part for part in (line.help, help_) if part)
    if len(units) == 1 and "" not in units:
        unit = units.pop()
        value, before, difference = (text.removesuffix(unit).rstrip() for text in texts)
        label = tr("{label} ({unit})", label=line.label, unit=unit)
        return replace(line, label=label, value=value, help=help_, compared=(before, difference, percent))
    return replace(line, help=help_, compared=(before, difference, percent))


def _with_text(line: Line, before: str) -> Line:
    """The line, with the former text if there is one."""
    return replace(line, value=tr("{after} (B: {before})", after=line.value, before=before)) if before else line
