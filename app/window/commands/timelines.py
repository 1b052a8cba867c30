"""Two timelines compared with one another: aligning them, going from difference to difference."""

from __future__ import annotations

from app.language import tr
from app.widgets.abilities import ComparesTimelines
from app.window.command import Command, CommandContext
from app.window.reach import nearest


def _compares(context: CommandContext) -> ComparesTimelines | None:
    return nearest(context.keys.last_focus, ComparesTimelines)


def _can_step(context: CommandContext) -> bool:
    panel = _compares(context)
    return panel is not None and panel.can_step_difference


def _step(context: CommandContext, direction: int) -> None:
    panel = _compares(context)
    if panel is not None:
        panel.step_difference(direction)


def _can_align(context: CommandContext) -> bool:
    panel = _compares(context)
    return panel is not None and panel.can_align


def _align(context: CommandContext) -> None:
    panel = _compares(context)
    if panel is not None:
        panel.align_here()


def _can_align_with_selected(context: CommandContext) -> bool:
    panel = _compares(context)
    return panel is not None and panel.can_align_with_selected


def _align_with_selected(context: CommandContext) -> None:
    panel = _compares(context)
    if panel is not None:
        panel.align_with_selected()


COMMANDS: tuple[Command, ...] = (
    Command(
        "timelines.next_difference",
        tr("Next timeline difference"),
        "Go",
        lambda context: _step(context, 1),
        ("N",),
        enabled=_can_step,
        canvas=True,
        separator=True,
        help=tr(
            "In a timeline with a baseline: goes to the slice with the largest difference, then to "
            "the next smaller one."
        ),
        words=("compare", "change", "diff"),
        submenu=tr("Differences"),
    ),
    Command(
        "timelines.previous_difference",
        tr("Previous timeline difference"),
        "Go",
        lambda context: _step(context, -1),
        ("Shift+N",),
        enabled=_can_step,
        canvas=True,
        submenu=tr("Differences"),
    ),
    Command(
        "timelines.align",
        tr("Align timelines at this slice"),
        "View",
        _align,
        enabled=_can_align,
        places=("slice",),
        help=tr("Starts the selected slice and its match in the baseline at the same place."),
        words=("compare", "baseline"),
    ),
    Command(
        "timelines.align_with_selected",
        tr("Align with the selected slice"),
        "",
        _align_with_selected,
        enabled=_can_align_with_selected,
        places=("baseline_slice",),
        help=tr("Starts this slice of the baseline and the selected slice of the comparison at the same place."),
    ),
)
