"""Labels and tool tips of the diagram."""

from __future__ import annotations

from typing import Literal, TypeAlias

from app.analysis.ascend.diagram.figures import BlockFigures, BoxFigures, PathFigures
from app.analysis.ascend.diagram.parts import Box, Figure
from app.analysis.ascend.paths import name
from app.language import labelled, plural, tr
from app.views.units import NO_DATA, exact, percent, plain, three_digits

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
