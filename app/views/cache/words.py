"""Tool tips of cache cells."""

from __future__ import annotations

from collections.abc import Callable

from app.language import labelled, plural, tr
from app.views.cache.maps import CacheMap
from app.views.differences import ONLY_BASELINE, both_sides
from app.views.units import exact, percent, plain

MOST_RANGES = 6


def about(shown: CacheMap, cell: int, instructions: Callable[[CacheMap, int], int | None]) -> str:
    """The tool tip of a cell: its line, the number of events, the share and its formula, and where they come from.
    ``instructions``: how many instructions of the file are linked to it; None if the file has no instructions."""
    line = int(shown.line[cell])
    name = tr("Cache line {line:,}", line=line) if line >= 0 else tr("A cache line without a number")
    what = tr("Cache set") if shown.kind == "cache_set" else tr("Cell")
    lines = [f"{name} ({what.lower()} {cell:,}): {shown.title.lower()}"]
    count, share = float(shown.count[cell]), float(shown.share[cell])
    lines.append(labelled(shown.title, tr("no data") if count != count else plain(count)))
    if share == share:
        exactly = exact(share, "%")
        shorter = percent(share)
        figure = shorter if len(exactly) > 12 or exactly == shorter else f"{shorter} ({exactly})"
        lines.append(
            tr(
                "Share: {figure} of {of} = 100 · events / ({formula})",
                figure=figure,
                of=shown.of,
                formula=_formula(shown),
            )
        )
    else:
        lines.append(tr("Share: no data; {of} are 0 or unknown", of=shown.of))
    baseline = shown.baseline
    if baseline is not None:
        before = float(baseline.share[cell]), float(baseline.count[cell])
        lines.append(tr("Events: {sides}", sides=both_sides(before[1], count, "")))
        lines.append(tr("Share: {sides}", sides=both_sides(before[0], share, "%")))
        if cell >= baseline.alone:
            return "\n".join((*lines[:1], ONLY_BASELINE.capitalize(), *lines[-2:]))
    if shown.side is not None:
        lines += _ranges(shown, cell, instructions)
    return "\n".join(lines)


def _formula(shown: CacheMap) -> str:
    return tr("loads + stores") if shown.kind == "cache_set" else tr("hits + misses")


def _ranges(shown: CacheMap, cell: int, instructions: Callable[[CacheMap, int], int | None]) -> list[str]:
    side = shown.side
    assert side is not None
    first, after = int(side.first_range[cell]), int(side.first_range[cell + 1])
    if first == after:
        return [tr("No instructions: the file has no address range for this cell")]
    ranges = [
        tr(
            "{range_start} to {range_end}",
            range_start=f"{int(side.range_start[place]):#x}",
            range_end=f"{int(side.range_end[place]):#x}",
        )
        for place in range(first, min(after, first + MOST_RANGES))
    ]
    left = after - first - len(ranges)
    lines = [
        tr("Instructions at {ranges}", ranges=", ".join(ranges))
        + (
            plural(
                " and {count:,} more range",
                " and {count:,} more ranges",
                count=left,
            )
            if left > 0
            else ""
        )
    ]
    count = instructions(shown, cell)
    if count is not None:
        lines.append(
            plural(
                "Click to select it with {count:,} instruction",
                "Click to select it with {count:,} instructions",
                count=count,
            )
        )
    return lines
