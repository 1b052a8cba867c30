"""Two timelines compared with one another: aligning them, going from difference to difference."""

from __future__ import annotations

from app.language import tr
from app.widgets.abilities import ComparesTimelines
from app.window.command import Command, focused
from app.window.commands.go import DIFFERENCES

PANEL = focused(ComparesTimelines)

COMMANDS: tuple[Command, ...] = (
    Command(
        "timelines.next_difference",
        tr("Next timeline difference"),
        "Go",
        PANEL.act(lambda panel: panel.step_difference(1)),
        ("N",),
        enabled=PANEL.meets(lambda panel: panel.can_step_difference),
        canvas=True,
        separator=True,
        help=tr(
            "In a timeline with a baseline: goes to the slice with the largest difference, then to "
            "the next smaller one."
        ),
        words=("compare", "change", "diff"),
        submenu=DIFFERENCES,
    ),
    Command(
        "timelines.previous_difference",
        tr("Previous timeline difference"),
        "Go",
        PANEL.act(lambda panel: panel.step_difference(-1)),
        ("Shift+N",),
        enabled=PANEL.meets(lambda panel: panel.can_step_difference),
        canvas=True,
        submenu=DIFFERENCES,
    ),
    Command(
        "timelines.align",
        tr("Align timelines at this slice"),
        "View",
        PANEL.act(lambda panel: panel.align_here()),
        enabled=PANEL.meets(lambda panel: panel.can_align),
        places=("slice",),
        help=tr("Starts the selected slice and its match in the baseline at the same place."),
        words=("compare", "baseline"),
    ),
    Command(
        "timelines.align_ends",
        tr("Align timelines at the end of this slice"),
        "",
        PANEL.act(lambda panel: panel.align_here(end=True)),
        enabled=PANEL.meets(lambda panel: panel.can_align),
        places=("slice",),
        help=tr("Ends the selected slice and its match in the baseline at the same place."),
        words=("compare", "baseline"),
    ),
    Command(
        "timelines.align_with_selected",
        tr("Align with the selected slice"),
        "",
        PANEL.act(lambda panel: panel.align_with_selected()),
        enabled=PANEL.meets(lambda panel: panel.can_align_with_selected),
        places=("baseline_slice",),
        help=tr("Starts this slice of the baseline and the selected slice of the comparison at the same place."),
    ),
    Command(
        "timelines.align_ends_with_selected",
        tr("Align the end with that of the selected slice"),
        "",
        PANEL.act(lambda panel: panel.align_with_selected(end=True)),
        enabled=PANEL.meets(lambda panel: panel.can_align_with_selected),
        places=("baseline_slice",),
        help=tr("Ends this slice of the baseline and the selected slice of the comparison at the same place."),
    ),
)
