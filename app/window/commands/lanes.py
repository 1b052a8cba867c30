"""Selecting, folding, hiding and moving lanes of the timeline, as with the mouse on their names and triangles."""

from __future__ import annotations

from app.language import tr
from app.widgets.abilities import ArrangesLanes, HasLanes, LaneArrangement
from app.window.command import Command, CommandContext
from app.window.commands.hiding import HIDING


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


def _arrangement(context: CommandContext) -> LaneArrangement | None:
    canvas = context.keys.canvas
    return canvas.arrangement if isinstance(canvas, ArrangesLanes) else None


def _can_hide(context: CommandContext) -> bool:
    arrangement = _arrangement(context)
    return arrangement is not None and arrangement.can_hide()


def _hide(context: CommandContext) -> None:
    arrangement = _arrangement(context)
    if arrangement is not None:
        arrangement.hide_lanes()


def _can_move(context: CommandContext, direction: int) -> bool:
    arrangement = _arrangement(context)
    return arrangement is not None and arrangement.can_move(direction)


def _move(context: CommandContext, direction: int) -> None:
    arrangement = _arrangement(context)
    if arrangement is not None:
        arrangement.move_lane(direction)


def _any_moved(context: CommandContext) -> bool:
    arrangement = _arrangement(context)
    return arrangement is not None and arrangement.any_moved


def _restore_order(context: CommandContext) -> None:
    arrangement = _arrangement(context)
    if arrangement is not None:
        arrangement.restore_order()


MOVING = tr(
    "Moves a lane within its process, a pinned lane among pinned lanes, or a process. With the mouse: drag its name."
)


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
        help=tr("Selects the lane under the pointer, or of the selection. With the mouse: click its name."),
    ),
    Command(
        "canvas.fold_lane",
        tr("Collapse or expand lane"),
        "View",
        _fold,
        ("E",),
        enabled=_can_fold,
        canvas=True,
        places=("lane", "slice"),
        help=tr(
            "Shows a lane of several rows as one row. With the mouse: click its triangle, or double-click its name."
        ),
    ),
    Command(
        "canvas.fold_process",
        tr("Collapse or expand process"),
        "View",
        _fold_process,
        ("Shift+E",),
        enabled=_can_fold_process,
        canvas=True,
        places=("lane", "slice", "process"),
        help=tr(
            "Shows all lanes of a process as one row. With the mouse: click its triangle, or double-click its name."
        ),
    ),
    Command(
        "canvas.hide_lane",
        tr("Hide lane"),
        "View",
        _hide,
        ("H",),
        enabled=_can_hide,
        canvas=True,
        places=("lane", "process", "counter"),
        submenu=HIDING,
        help=tr(
            "Hides the lane, counter or process under the pointer, or else the selected lanes. A "
            "chip above the timeline shows them again."
        ),
        words=("remove row", "filter lanes"),
    ),
    Command(
        "canvas.move_lane_up",
        tr("Move lane up"),
        "",
        lambda context: _move(context, -1),
        ("Alt+Up",),
        enabled=lambda context: _can_move(context, -1),
        canvas=True,
        places=("lane",),
        help=MOVING,
        words=("order", "reorder", "rearrange"),
    ),
    Command(
        "canvas.move_lane_down",
        tr("Move lane down"),
        "",
        lambda context: _move(context, 1),
        ("Alt+Down",),
        enabled=lambda context: _can_move(context, 1),
        canvas=True,
        places=("lane",),
        help=MOVING,
    ),
    Command(
        "canvas.restore_order",
        tr("Restore order of lanes"),
        "",
        _restore_order,
        enabled=_any_moved,
        places=("lane", "process", "time"),
        help=tr("Restores the order of lanes and processes in the file."),
        words=("unsort", "reset order"),
    ),
)
