"""The differences to a baseline in the diagram: labels, bars, tool tips."""

from __future__ import annotations

from app.analysis.ascend.diagram.figures import BlockFigures, BoxFigures, PathFigures
from app.analysis.table import Unit
from app.language import tr
from app.views.memory_paths.words import Show, label
from app.views.units import change, exact, percent_change

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
