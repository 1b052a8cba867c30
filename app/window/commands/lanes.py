"""Selecting and folding lanes of the timeline, as by clicks on their names and triangles."""

from __future__ import annotations

from app.language import tr
from app.widgets.abilities import HasLanes
from app.window.command import Command, CommandContext


def _holder(context: CommandContext) -> HasLanes | None:
    canvas = context.keys.canvas
    return canvas if isinstance(canvas, HasLanes) else None


def _can_choose(context: CommandContext) -> bool:
    holder = _holder(context)
    return holder is not None and holder.current_lane() is not None


def _choose(context: CommandContext) -> None:
    holder = _holder(context)
    if holder is not None:
        holder.choose_lane()


def _can_fold(context: CommandContext) -> bool:
    holder = _holder(context)
    return holder is not None and holder.can_fold()


def _fold(context: CommandContext) -> None:
    holder = _holder(context)
    if holder is not None:
        holder.toggle_fold()


def _can_fold_process(context: CommandContext) -> bool:
    holder = _holder(context)
    return holder is not None and holder.can_fold_process()


def _fold_process(context: CommandContext) -> None:
    holder = _holder(context)
    if holder is not None:
        holder.toggle_process()


COMMANDS: tuple[Command, ...] = (
    Command(
        "canvas.choose_lane",
        tr("Select lane"),
        "Go",
        _choose,
        ("L",),
        enabled=_can_choose,
        canvas=True,
        places=("slice",),
        help=tr("The lane under the pointer, else that of the selection. With the mouse: click its name."),
    ),
    Command(
        "canvas.fold_lane",
        tr("Fold or unfold lane"),
        "View",
        _fold,
        ("E",),
        enabled=_can_fold,
        canvas=True,
        places=("lane", "slice"),
        help=tr(
            "A lane of several rows in one line, or a folded process. With the mouse: click its triangle, or "
            "double-click its name."
        ),
    ),
    Command(
        "canvas.fold_process",
        tr("Fold or unfold process"),
        "View",
        _fold_process,
        ("Shift+E",),
        enabled=_can_fold_process,
        canvas=True,
        places=("lane", "slice", "process"),
        help=tr("All lanes of a process in one line. With the mouse: click its triangle, or double-click its name."),
    ),
)
