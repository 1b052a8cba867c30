"""The critical path, and what a change would save, as pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from app.analysis.time.answers import WHOLE, CriticalPath, PathPiece
from app.analysis.time.path import register_note
from app.analysis.time.what_if import WhatIf
from app.language import plural, tr
from app.views.pages.document import Block, Line, Rows, Section, Sentence
from app.views.units import NO_DATA, format_value, percent

if TYPE_CHECKING:
    from app.analysis.table import Unit
    from app.analysis.time.memory import Without

MOST_NAMES: Final = 12
MOST_PIECES: Final = 30
LONGEST: Final = 48
"""Characters of names, of which some are a whole C++ signature."""
PARTS: Final = {
    "work": tr("Work"),
    "data_wait": tr("Data wait"),
    "resource_wait": tr("Resource wait"),
    "outside": tr("Outside"),
}
MEANINGS: Final = {
    "work": tr("a lane executes something"),
    "data_wait": tr("gaps after what the next work depends on had ended"),
    "resource_wait": tr("gaps after what the lane did before; the file states no cause"),
    "outside": tr("before the first and after the last work"),
}
ASSUMPTIONS: Final = tr(
    "The estimate replays the schedule: every slice starts when the last of what it waits for ends, plus the gap that "
    "was measured. A dependency that the file does not show can hide in a gap."
)


def path_section(title: str, answer: CriticalPath) -> Section:
    """The parts of the span, what the figures rest on, the work by name, and the pieces."""
    blocks: list[Block] = []
    span, unit = answer.span, answer.unit
    if answer.why:
        blocks.append(Sentence(answer.why))
    if span is None:
        return Section(title, tuple(blocks))
    blocks.append(Line(_heading(answer), format_value(span, unit)))
    if answer.parts is not None:
        for part, name in PARTS.items():
            time = float(getattr(answer.parts, part))
            share = percent(100 * time / span) if span > 0 else NO_DATA
            blocks.append(Line(name, f"{format_value(time, unit)} · {share} · {MEANINGS[part]}", depth=1))
    if answer.floor is not None:
        most = max(span - answer.floor, 0.0)
        share = percent(100 * most / span) if span > 0 else NO_DATA
        blocks.append(Line(tr("At least, without gaps"), format_value(answer.floor, unit)))
        blocks.append(Line(tr("Better scheduling saves at most"), f"{format_value(most, unit)} · {share}"))
    if answer.parts is not None and span > 0:
        gaps = 1 - answer.parts.work / span
        blocks.append(Sentence(_trust(gaps, answer.inferred, answer.replay_error), "muted"))
    if answer.registers is not None:
        blocks.append(Sentence(register_note(answer.registers), "muted"))
    blocks += _tables(answer)
    return Section(title, tuple(blocks))


def _heading(answer: CriticalPath) -> str:
    """What the span is that of."""
    if answer.scope == WHOLE:
        return tr("Span") if answer.why else tr("Critical path of all lanes")
    if answer.why:
        return tr("Span of {scope}", scope=answer.scope)
    return tr("Critical path of {scope}", scope=answer.scope)


def _tables(answer: CriticalPath) -> Iterator[Section]:
    unit = answer.unit
    names = tuple((_short(one.name), format_value(one.work, unit), percent(100 * one.share)) for one in answer.by_name)
    if names:
        heads: tuple[str, ...] = (tr("Name"), tr("Work"), tr("Share of span"))
        title = tr("Work on the path by name") if answer.path else tr("Work")
        yield Section(title, (Rows(heads, names[:MOST_NAMES], frozenset({1, 2}), _more(len(names) - MOST_NAMES)),))
    if answer.path:
        heads = (tr("Start"), tr("Time"), tr("Part"), tr("Name"), tr("Lane"), tr("Waited for"))
        longest = sorted(answer.path, key=lambda one: -one.time)[:MOST_PIECES]
        shown = tuple(_cells(sorted(longest, key=lambda one: one.start), unit))
        left = len(answer.path) - MOST_PIECES
        title = tr("Path, in order of time") if left <= 0 else tr("Longest pieces of the path, in order of time")
        yield Section(title, (Rows(heads, shown, frozenset({0, 1}), _more(left)),))


def _cells(pieces: Sequence[PathPiece], unit: Unit) -> Iterator[tuple[str, ...]]:
    for one in pieces:
        times = (format_value(value, unit) for value in (one.start, one.time))
        yield (*times, PARTS[one.part], _short(one.name), _short(one.lane), _short(one.cause, ""))


def _short(name: str | None, none: str = NO_DATA) -> str:
    """A name in a column of a terminal."""
    if not name:
        return none
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _more(left: int) -> str:
    if left <= 0:
        return ""
    return plural("{count:,} more row; --json has all", "{count:,} more rows; --json has all", count=left)


def what_if_section(title: str, answer: WhatIf) -> Section:
    """The span, the estimate with its assumptions, and the bound."""
    saving, span = answer.saving, answer.span
    if saving is None or span is None or answer.replayed is None:
        return Section(title, (Sentence(answer.why),))

    def shown(value: float) -> str:
        return f"{format_value(value, saving.unit)} · {percent(100 * value / span) if span > 0 else NO_DATA}"

    lines = [Line(tr("Now"), format_value(span, saving.unit))]
    measured = answer.confidence == "measured"
    after = tr("After the change, at least") if measured else tr("After the change, estimated")
    lines.append(Line(after, format_value(answer.replayed, saving.unit)))
    if not measured and saving.estimate < 0:
        lines.append(Line(tr("Estimated loss"), shown(-saving.estimate)))
    elif not measured:
        lines.append(Line(tr("Estimated saving"), shown(saving.estimate)))
    lines.append(Line(tr("Saves at most"), shown(saving.at_most)))
    if answer.lags is None:
        counted = plural("{count:,} step changes.", "{count:,} steps change.", count=answer.slices)
        return Section(title, (*lines, Sentence(counted, "muted")))
    counted = plural("{count:,} slice changes.", "{count:,} slices change.", count=answer.slices)
    notes: tuple[str, ...] = (counted, ASSUMPTIONS, _trust(answer.lags, answer.inferred, answer.replay_error))
    notes += () if answer.registers is None else (register_note(answer.registers),)
    return Section(title, (*lines, *(Sentence(note, "muted") for note in notes)))


def _trust(gaps: float, inferred: float | None, error: float | None) -> str:
    """What the figures rest on."""
    return tr(
        "{gaps} of the critical path is gaps, {inferred} rests on causes that the file does not state. A replay of the "
        "unchanged schedule is off by {error}.",
        gaps=percent(100 * gaps),
        inferred=percent(100 * (inferred or 0.0)),
        error=percent(100 * (error or 0.0)),
    )


def without_section(title: str, answer: Without) -> Section:
    """Whether the tiles fit without a variable, and what the peak of live bytes falls to."""
    blocks: list[Block] = [Sentence(tr("Without {variable}, which frees its bytes at most:", variable=answer.variable))]
    tiles, peak = answer.tiles, answer.peak
    if tiles is not None:
        before = tr("{bytes} on tile {tile:,}", bytes=format_value(tiles.used, "B"), tile=tiles.tile)
        after = tr("{bytes} on tile {tile:,}", bytes=format_value(tiles.used_without, "B"), tile=tiles.tile_without)
        blocks += [Line(tr("Fullest tile now"), before), Line(tr("Fullest tile then"), after)]
        blocks.append(Line(tr("The variable on tile {tile:,}", tile=tiles.tile), format_value(tiles.bytes, "B")))
        if tiles.limit is not None:
            over = tr("no, {bytes} over", bytes=format_value(tiles.still_over, "B"))
            fits = tr("Fits in {limit} then", limit=format_value(tiles.limit, "B"))
            blocks.append(Line(fits, tr("yes") if tiles.fits_without else over))
    if peak is not None:
        before = tr("{bytes} at {node}", bytes=format_value(peak.peak, "B"), node=peak.node)
        after = tr("{bytes} at {node}", bytes=format_value(peak.peak_without, "B"), node=peak.node_without)
        blocks += [Line(tr("Peak of live bytes now"), before), Line(tr("Peak then"), after)]
    if tiles is None and peak is None:
        blocks.append(Sentence(tr("On which tile, and when, it is live is unknown.")))
    return Section(title, tuple(blocks))
