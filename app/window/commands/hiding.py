"""What is hidden on the timeline: slices by their names, and what is not the work of a pipe."""

from __future__ import annotations

from app.language import tr
from app.widgets.abilities import HidesSlices
from app.window.command import Command, CommandContext, on_canvas

HIDING = tr("Hide lanes and slices")
"""The submenu, which has the commands for lanes, too."""
CANVAS = on_canvas(HidesSlices)


def _can_hide(context: CommandContext) -> bool:
    selected = context.document.selection.value
    return CANVAS.find(context) is not None and selected is not None and selected.kind == "slice"


COMMANDS: tuple[Command, ...] = (
    Command(
        "canvas.hide_names",
        tr("Hide slices with this name"),
        "View",
        CANVAS.act(lambda canvas: canvas.hide_selected()),
        enabled=_can_hide,
        places=("slice",),
        submenu=HIDING,
        help=tr("Hides them in the timeline; figures still include them."),
    ),
    Command(
        "canvas.only_names",
        tr("Only slices with this name"),
        "View",
        CANVAS.act(lambda canvas: canvas.keep_selected()),
        enabled=_can_hide,
        places=("slice",),
        submenu=HIDING,
        help=tr("Hides all other slices in the timeline; figures still include them."),
        words=("filter", "isolate", "show only"),
    ),
    Command(
        "canvas.pipes_only",
        tr("Pipes only"),
        "View",
        CANVAS.act(lambda canvas: canvas.toggle_pipes_only()),
        ("Shift+P",),
        enabled=CANVAS.meets(lambda canvas: canvas.can_show_pipes_only),
        checked=CANVAS.meets(lambda canvas: canvas.pipes_only),
        canvas=True,
        places=("lane", "time", "process"),
        submenu=HIDING,
        help=tr(
            "Hides flags, barriers and scalar lanes of an Ascend timeline, or shows them again. The statistics by name "
            "follow it."
        ),
        words=("hide flags", "hide barriers", "hide scalar", "noise", "SET_FLAG", "WAIT_FLAG"),
    ),
    Command(
        "canvas.show_all",
        tr("Show hidden items"),
        "View",
        CANVAS.act(lambda canvas: canvas.show_all()),
        enabled=CANVAS.meets(lambda canvas: canvas.anything_hidden),
        places=("lane", "time", "process"),
        submenu=HIDING,
        help=tr("Clears the lane filter, shows hidden lanes and names, and ends “Pipes only”."),
    ),
)
