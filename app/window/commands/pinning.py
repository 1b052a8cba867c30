"""Lanes pinned to the top of the timeline."""

from __future__ import annotations

from app.language import tr
from app.widgets.abilities import PinsLanes
from app.window.command import Command, on_canvas

CANVAS = on_canvas(PinsLanes)


COMMANDS: tuple[Command, ...] = (
    Command(
        "canvas.pin",
        tr("Pin or unpin lane"),
        "View",
        CANVAS.act(lambda canvas: canvas.toggle_pin()),
        ("P",),
        enabled=CANVAS.meets(lambda canvas: canvas.current_lane() is not None),
        canvas=True,
        places=("lane", "slice"),
        help=tr("Keeps the lane under the pointer, or of the selection, at the top while others scroll."),
    ),
    Command(
        "canvas.unpin_all",
        tr("Unpin all lanes"),
        "View",
        CANVAS.act(lambda canvas: canvas.unpin_all()),
        enabled=CANVAS.meets(lambda canvas: canvas.any_pinned),
        places=("lane", "time", "process"),
    ),
)
