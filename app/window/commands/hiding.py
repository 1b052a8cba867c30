"""What is hidden on the timeline: slices by their names, and what is not the work of a pipe."""

from __future__ import annotations

from app.language import tr
from app.widgets.abilities import HidesSlices
from app.window.command import Command, CommandContext

HIDING = tr("Hide lanes and slices")
"""The submenu, which has the commands for lanes, too."""


def _hides(context: CommandContext) -> HidesSlices | None:
    canvas = context.keys.canvas
    return canvas if isinstance(canvas, HidesSlices) else None


def _can_hide(context: CommandContext) -> bool:
    selected = context.document.selection.value
    return _hides(context) is not None and selected is not None and selected.kind == "slice"


def _hide(context: CommandContext) -> None:
    canvas = _hides(context)
    if canvas is not None:
        canvas.hide_selected()


def _anything_hidden(context: CommandContext) -> bool:
    canvas = _hides(context)
    return canvas is not None and canvas.anything_hidden


def _show_all(context: CommandContext) -> None:
    canvas = _hides(context)
    if canvas is not None:
        canvas.show_all()


def _has_pipes(context: CommandContext) -> bool:
    canvas = _hides(context)
    return canvas is not None and canvas.can_show_pipes_only


def _pipes_only(context: CommandContext) -> bool:
    canvas = _hides(context)
    return canvas is not None and canvas.pipes_only


def _toggle_pipes_only(context: CommandContext) -> None:
    canvas = _hides(context)
    if canvas is not None:
        canvas.toggle_pipes_only()


COMMANDS: tuple[Command, ...] = (
    Command(
        "canvas.hide_names",
        tr("Hide slices with this name"),
        "View",
        _hide,
        enabled=_can_hide,
        places=("slice",),
        submenu=HIDING,
        help=tr("Hides them in the timeline; figures still include them."),
    ),
    Command(
        "canvas.pipes_only",
        tr("Pipes only"),
        "View",
        _toggle_pipes_only,
        ("Shift+P",),
        enabled=_has_pipes,
        checked=_pipes_only,
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
        _show_all,
        enabled=_anything_hidden,
        places=("lane", "time", "process"),
        submenu=HIDING,
        help=tr("Clears the lane filter, shows hidden lanes and names, and ends “Pipes only”."),
    ),
)
