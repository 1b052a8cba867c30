"""What is of use without a file, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.window.command import Command

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

SCALING = "scaling"


def _can_scale(window: MainWindow) -> bool:
    return window.document.current is None or (window.docks is not None and SCALING in window.docks.offered)


COMMANDS: tuple[Command, ...] = (
    Command(
        "tools.scaling",
        "Scaling over replicas",
        "Tools",
        lambda window: window.show_panel(SCALING),
        enabled=_can_scale,
        help="Throughput over replicas, from typed numbers or from the run of a Poplar profile.",
    ),
)
