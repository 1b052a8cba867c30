"""Lanes pinned to the top of the timeline."""

from __future__ import annotations

from app.language import tr
from app.widgets.abilities import PinsLanes
from app.window.command import Command, CommandContext


def _pins(context: CommandContext) -> PinsLanes | None:
    canvas = context.keys.canvas
    return canvas if isinstance(canvas, PinsLanes) else None


def _pin(context: CommandContext) -> None:
    canvas = _pins(context)
    if canvas is not None:
        canvas.toggle_pin()


def _can_pin(context: CommandContext) -> bool:
    canvas = _pins(context)
    return canvas is not None and canvas.current_lane() is not None


def _unpin_all(context: CommandContext) -> None:
    canvas = _pins(context)
    if canvas is not None:
        canvas.unpin_all()


def _any_pinned(context: CommandContext) -> bool:
    canvas = _pins(context)
    return canvas is not None and canvas.any_pinned


COMMANDS: tuple[Command, ...] = (
    Command(
        "canvas.pin",
        tr("Pin or unpin lane"),
        "View",
        _pin,
        ("P",),
        enabled=_can_pin,
        canvas=True,
        places=("lane", "slice"),
        help=tr("Keeps the lane under the pointer, or of the selection, at the top while others scroll."),
    ),
    Command(
        "canvas.unpin_all",
        tr("Unpin all lanes"),
        "View",
        _unpin_all,
        enabled=_any_pinned,
        places=("lane", "time", "process"),
    ),
)
