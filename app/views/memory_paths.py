"""What the memory path diagram says: labels, tool tips and notes, colours of shares, differences from a baseline, and
which blocks and tables there are."""

from __future__ import annotations

from bisect import bisect_right
from typing import Literal, TypeAlias

from app.analysis.ascend.diagram.figures import BlockFigures, BoxFigures, PathFigures, block_names
from app.analysis.ascend.diagram.parts import Box, Figure
from app.analysis.ascend.launch import block_number
from app.analysis.ascend.paths import name
from app.analysis.table import Table, Unit
from app.analysis.tables.ascend_memory import (
    PREFIX,
    memory_blocks,
    memory_paths,
    memory_table,
    memory_table_titles,
    memory_tables,
)
from app.language import labelled, plural, tr
from app.profile.profile import Profile
from app.views.colours import blend
from app.views.look import Theme
from app.views.units import NO_DATA, change, exact, percent, percent_change, plain, three_digits

Show: TypeAlias = Literal["bandwidth", "request", "peak"]
SHOWN: dict[Show, str] = {"bandwidth": tr("Bandwidth (GB/s)"), "request": tr("Requests"), "peak": tr("Peak share (%)")}
MARK = "*"
"""Marks a figure whose remark is in the notes, because it does not fit beside it."""
_MANY = ((1e12, "T"), (1e9, "G"), (1e6, "M"))
MOST_LISTED = 12


def label(figures: PathFigures | None, show: Show) -> tuple[str, str]:
    """(the figure at an arrow, the file's remark about it)."""
    if figures is None:
        return NO_DATA, ""
    if show == "bandwidth":
        return (NO_DATA if figures.bandwidth is None else plain(figures.bandwidth)), figures.bandwidth_suffix
    if show == "request":
        return (NO_DATA if figures.request is None else short_count(figures.request)), figures.request_suffix
    return (NO_DATA if figures.peak is None else percent(figures.peak)), ""


def short_count(count: float) -> str:
    """A count in full up to seven digits, then abbreviated in millions and so on."""
    if abs(count) < 1e7:
        return plain(count)
    factor, unit = next(step for step in _MANY if abs(count) >= step[0])
    return f"{three_digits(count / factor)} {unit}"


def box_lines(box: Box, block: BlockFigures) -> tuple[str, ...]:
    """The lines below a box's name; with a baseline, its share in parentheses."""
    if not box.figure:
        return ()
    figures = block.boxes.get(box.figure)
    share = NO_DATA if figures is None or figures.percent is None else percent(figures.percent)
    before = ""
    if block.baseline is not None:
        own = block.baseline.boxes.get(box.figure)
        before = f"({NO_DATA if own is None or own.percent is None else percent(own.percent)})"
    if box.figure == "hit_rate":  # in a narrow box
        return tuple(line for line in (tr("Hit rate"), share, before) if line)
    share = f"{share} {before}".rstrip()
    return (tr("Busy {share}", share=share),)


def about_path(path: int, figures: PathFigures | None, show_hint: bool = True) -> str:
    """The tool tip of an arrow: all its figures in full, with their definitions."""
    lines: list[str] = [tr("{name} (path {path})", name=name(path) or tr("A path without a number"), path=path)]
    if figures is None:
        lines.append(tr("No data: the file has no value for this path in this block (not zero)."))
        return "\n".join(lines)
    bandwidth = tr("no data") if figures.bandwidth is None else exact(figures.bandwidth, "GB/s")
    requests = tr("no data") if figures.request is None else exact(_whole(figures.request), "")
    lines.append(_remarked(tr("Bandwidth: {bandwidth}", bandwidth=bandwidth), figures.bandwidth_suffix))
    lines.append(_remarked(tr("Requests: {requests}", requests=requests), figures.request_suffix))
    if figures.peak is None:
        lines.append(tr("Peak share: not computed for this path"))
    else:
        lines.append(
            tr("Peak share: {peak} of the path's theoretical bandwidth", peak=exact(figures.peak, "%"))
            if 0 <= figures.peak <= 100
            else tr("Peak share: {peak}, not a valid share (drawn grey)", peak=exact(figures.peak, "%"))
        )
    if show_hint:
        lines.append(tr("Bandwidth is the bytes moved over the operator's duration."))
    return "\n".join(lines)


def about_box(box: Box, figures: BoxFigures | None) -> str:
    """The tool tip of a box."""
    figure: Figure = box.figure
    if not figure:
        return box.name
    share = tr("no data") if figures is None or figures.percent is None else exact(figures.percent, "%")
    if figure == "hit_rate":
        first = tr("{box}: hit rate {share}", box=box.name, share=share)
        second = tr("100 · hits / (hits + misses)")
        counts = (tr("hits"), tr("misses"))
    else:
        first = tr("{box}: busy {share} of its cycles", box=box.name, share=share)
        second = tr("100 · cycles / total cycles")
        counts = (tr("cycles"), tr("total cycles"))
    if figures is None or figures.part is None or figures.other is None:
        return f"{first}\n{second}"
    part, other = exact(_whole(figures.part), ""), exact(_whole(figures.other), "")
    return f"{first}\n{second}: {part} {counts[0]}, {other} {counts[1]}"


def kind_of(figures: BlockFigures) -> str:
    """The kind of operator and the chip."""
    return ", ".join(part for part in (figures.operator_type, figures.soc) if part)


def notes(figures: BlockFigures, show: Show, marked: list[PathFigures]) -> list[str]:
    """Notes beside the diagram: what it does not show, the remarks of ``marked`` paths, and advice."""
    lines: list[str] = []
    if figures.guessed:
        lines.append(tr("The file does not state the chip or core: the diagram is chosen by the paths."))
    lines += [f"{MARK} {path.name}: {label(path, show)[1].strip('()')}" for path in marked]
    if figures.hidden:
        many = len(figures.hidden)
        lines.append(
            plural(
                "{count} path is hidden, as the file specifies.",
                "{count} paths are hidden, as the file specifies.",
                count=many,
            )
        )
    if figures.elsewhere:
        lines.append(tr("Not in the diagram:"))
        lines += [labelled(path.name, label(path, show)[0]) for path in figures.elsewhere[:MOST_LISTED]]
        left = len(figures.elsewhere) + figures.more - MOST_LISTED
        if left > 0:
            lines.append(tr("and {left:,} more; the table has them all.", left=left))
    return lines + [_sentence(text) for text in figures.advice]


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text[:1].upper() + text[1:]


def _remarked(text: str, remark: str) -> str:
    return f"{text} {remark}" if remark else text


def _whole(value: float) -> int | float:
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


STOPS = (0.0, 20.0, 40.0, 60.0, 80.0, 100.0)
"""Percent; colours are interpolated linearly between stops (Ascend operator files, section 3.2)."""
_COLOURS = ("#4C008A", "#C42627", "#FF5F03", "#FFC55B", "#FCC95E")
_FULL = {True: "#FFFFFF", False: "#E9E9E9"}
FAMILIES = {"shared": "#0062DC", "vector": "#75A105", "cube": "#279C6E"}
"""Colours of box families: memories shared by all cores, vector cores, cube cores."""


def stops(theme: Theme) -> tuple[tuple[float, str], ...]:
    """(percent, colour) along the ramp."""
    return tuple(zip(STOPS, (*_COLOURS, _FULL[theme.dark]), strict=True))


def shade(peak: float | None, theme: Theme) -> str | None:
    """The colour of a share; None if there is no share, or an impossible one outside of 0 to 100."""
    if peak is None or not STOPS[0] <= peak <= STOPS[-1]:
        return None
    ramp = stops(theme)
    place = min(bisect_right(STOPS, peak), len(STOPS) - 1)
    (low, first), (high, second) = ramp[place - 1], ramp[place]
    return blend(first, second, (peak - low) / (high - low))


UNITS: dict[Show, Unit] = {"bandwidth": "GB/s", "request": "", "peak": "%"}
PARENTHESES = tr("In parentheses: the baseline. Bars below: the difference, to the right more, to the left less.")
NO_BASELINE = tr("The baseline has no data for this block.")


def label_of(path: int, figures: BlockFigures, show: Show) -> tuple[str, str]:
    """(the figure at an arrow, with a baseline "now (before)"; the file's remark about it)."""
    text, remark = label(figures.shown.get(path), show)
    if figures.baseline is None:
        return text, remark
    return f"{text} ({label(figures.baseline.paths.get(path), show)[0]})", remark


def difference(path: int, figures: BlockFigures, show: Show) -> float | None:
    """What a path has more than in the baseline; None if one of them is not known."""
    baseline = figures.baseline
    now = amount(figures.shown.get(path), show)
    before = None if baseline is None else amount(baseline.paths.get(path), show)
    return None if now is None or before is None else now - before


def largest(figures: BlockFigures, show: Show) -> float:
    """The largest difference of the arrows, without sign."""
    return max((abs(difference(path, figures, show) or 0.0) for path in figures.shown), default=0.0)


def amount(figures: PathFigures | None, show: Show) -> float | None:
    """The figure of a path that is shown."""
    if figures is None:
        return None
    return {"bandwidth": figures.bandwidth, "request": figures.request, "peak": figures.peak}[show]


def about_changes(path: int, figures: BlockFigures) -> list[str]:
    """Lines of the tool tip of an arrow: each figure of the baseline, and the difference."""
    if figures.baseline is None:
        return []
    lines: list[str] = []
    titles: dict[Show, str] = {"bandwidth": tr("bandwidth"), "request": tr("requests"), "peak": tr("peak share")}
    for show, title in titles.items():
        before, more = amount(figures.baseline.paths.get(path), show), difference(path, figures, show)
        if before is None:
            lines.append(tr("Baseline, {title}: no data", title=title))
            continue
        share = f", {percent_change(more, before)}" if more is not None and before and show != "peak" else ""
        changed = "" if more is None else f" ({change(more, UNITS[show])}{share})" if more else tr(" (same)")
        lines.append(
            tr("Baseline, {title}: {before}{changed}", title=title, before=exact(before, UNITS[show]), changed=changed)
        )
    return lines


def about_box_before(now: BoxFigures | None, before: BoxFigures | None) -> str:
    """The line of the tool tip of a box."""
    if before is None or before.percent is None:
        return tr("Baseline: no data")
    if now is None or now.percent is None:
        return tr("Baseline: {before}", before=exact(before.percent, "%"))
    more = change(now.percent - before.percent, "%")
    return tr("Baseline: {before} ({change})", before=exact(before.percent, "%"), change=more)


def names_of(profile: Profile | None) -> list[str]:
    """Names of the blocks, from the diagram's entries or else from the tables."""
    if profile is None:
        return []
    if profile.memory_paths is not None:
        return list(block_names(profile.memory_paths))
    return [tr("Block {name}", name=name) for name in _blocks(profile)]


def numbers_of(profile: Profile) -> list[int]:
    """Numbers of these blocks; -1 for a mean of several."""
    return [block_number(name) for name in _blocks(profile)]


def tables_of(profile: Profile) -> list[Table]:
    """The memory tables, the caches and units, and the paths of all blocks."""
    made = (*memory_tables(profile), memory_blocks(profile), memory_paths(profile))
    return [table for table in made if table is not None]


def titles_of(profile: Profile) -> dict[str, str]:
    """The titles of these tables by their ids."""
    further = (table for table in (memory_blocks(profile), memory_paths(profile)) if table is not None)
    return {**memory_table_titles(profile), **{table.id: table.title for table in further}}


def table_of(profile: Profile, table_id: str) -> Table | None:
    """The one of these tables with that id."""
    if table_id.startswith(PREFIX):
        return memory_table(profile, table_id)
    return next(
        (table for table in (memory_blocks(profile), memory_paths(profile)) if table and table.id == table_id), None
    )


def paths_of_block(profile: Profile, entry: int) -> Table | None:
    """The paths of one block, by its place among the blocks."""
    return None if entry < 0 else memory_paths(profile, entry)


def _blocks(profile: Profile) -> list[str]:
    """Names of the diagram's blocks, or else of the tables' blocks."""
    paths, tables = profile.memory_paths, profile.memory_tables
    if paths is not None:
        return [paths.strings.get(code) for code in paths.blocks.block.tolist()]
    return [] if tables is None else [tables.strings.get(code) for code in tables.block_name.tolist()]
