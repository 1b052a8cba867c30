"""Selecting, folding, hiding and moving lanes of the timeline, as with the mouse on their names and triangles."""

from __future__ import annotations

from app.language import tr
from app.widgets.abilities import ArrangesLanes, HasLanes, LaneArrangement
from app.window.command import Command, CommandContext, Subject, on_canvas
from app.window.commands.hiding import HIDING


def _arrangement(context: CommandContext) -> LaneArrangement | None:
    canvas = context.keys.canvas
    return canvas.arrangement if isinstance(canvas, ArrangesLanes) else None


CANVAS = on_canvas(HasLanes)
ARRANGEMENT = Subject(_arrangement)


MOVING = tr(
    "Moves a lane within its process, a pinned lane among pinned lanes, or a process. With the mouse: drag its name."
)


COMMANDS: tuple[Command, ...] = (
    Command(
        "canvas.choose_lane",
        tr("Select lane"),
        "Go",
        CANVAS.act(lambda canvas: canvas.choose_lane()),
        ("L",),
        enabled=CANVAS.meets(lambda canvas: canvas.current_lane() is not None),
        canvas=True,
        places=("slice",),
        help=tr("Selects the lane under the pointer, or of the selection. With the mouse: click its name."),
    ),
    Command(
        "canvas.fold_lane",
        tr("Collapse or expand lane"),
        "View",
        CANVAS.act(lambda canvas: canvas.toggle_fold()),
        ("E",),
        enabled=CANVAS.meets(lambda canvas: canvas.can_fold()),
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
        CANVAS.act(lambda canvas: canvas.toggle_process()),
        ("Shift+E",),
        enabled=CANVAS.meets(lambda canvas: canvas.can_fold_process()),
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
        ARRANGEMENT.act(lambda arrangement: arrangement.hide_lanes()),
        ("H",),
        enabled=ARRANGEMENT.meets(lambda arrangement: arrangement.can_hide()),
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
        ARRANGEMENT.act(lambda arrangement: arrangement.move_lane(-1)),
        ("Alt+Up",),
        enabled=ARRANGEMENT.meets(lambda arrangement: arrangement.can_move(-1)),
        canvas=True,
        places=("lane",),
        help=MOVING,
        words=("order", "reorder", "rearrange"),
    ),
    Command(
        "canvas.move_lane_down",
        tr("Move lane down"),
        "",
        ARRANGEMENT.act(lambda arrangement: arrangement.move_lane(1)),
        ("Alt+Down",),
        enabled=ARRANGEMENT.meets(lambda arrangement: arrangement.can_move(1)),
        canvas=True,
        places=("lane",),
        help=MOVING,
    ),
    Command(
        "canvas.restore_order",
        tr("Restore order of lanes"),
        "",
        ARRANGEMENT.act(lambda arrangement: arrangement.restore_order()),
        enabled=ARRANGEMENT.meets(lambda arrangement: arrangement.any_moved),
        places=("lane", "process", "time"),
        help=tr("Restores the order of lanes and processes in the file."),
        words=("unsort", "reset order"),
    ),
)
