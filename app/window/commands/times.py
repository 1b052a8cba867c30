"""Why a timeline takes as long as it does: its critical path, and what a change would save."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.widgets.abilities import ShowsCriticalPath
from app.window.command import ANALYSIS, Command, CommandContext, Subject, on_canvas

if TYPE_CHECKING:
    from app.profile.profile import Profile
    from app.profile.selection import Kind, Selection

PATH = on_canvas(ShowsCriticalPath)
SCALED: tuple[Kind, ...] = ("slice", "lane", "step")


def _scaled(context: CommandContext) -> tuple[Profile, Selection] | None:
    """The selection whose time may be another one, with its profile."""
    profile, selected = context.document.profile, context.document.selection.value
    if profile is None or profile.timeline is None or selected is None or selected.kind not in SCALED:
        return None
    return profile, selected


MEANT = Subject(_scaled)


def _ask_half(context: CommandContext, meant: tuple[Profile, Selection]) -> None:
    from app.window.what_if import ask_half  # imports figures

    ask_half(context, *meant)


def _show_dialog(context: CommandContext, meant: tuple[Profile, Selection]) -> None:
    from app.window.what_if import show

    show(context, *meant)


COMMANDS: tuple[Command, ...] = (
    Command(
        "times.critical_path",
        tr("Critical path"),
        "Tools",
        PATH.act_in(lambda context, canvas: context.time_questions.toggle_path(canvas)),
        ("C",),
        enabled=PATH.meets(lambda canvas: canvas.path_timeline is not None),
        checked=PATH.meets(lambda canvas: canvas.path_shown),
        canvas=True,
        places=("time", "slice", "lane"),
        separator=True,
        help=tr(
            "Marks in the timeline the chain of work and waits that fills the time from the first to the last slice."
        ),
        words=("bottleneck", "longest path", "dependencies", "why is it slow"),
        submenu=ANALYSIS,
    ),
    Command(
        "times.what_if_half",
        tr("What if this took half?"),
        "Tools",
        MEANT.act_in(_ask_half),
        enabled=MEANT.meets(),
        places=SCALED,
        help=tr("Estimates what is saved if the selected slices, lane or step took half of their time."),
        words=("estimate", "saving", "speedup", "faster", "optimise", "optimize"),
        submenu=ANALYSIS,
    ),
    Command(
        "times.what_if",
        tr("What if this took…"),
        "Tools",
        MEANT.act_in(_show_dialog),
        enabled=MEANT.meets(),
        places=SCALED,
        help=tr("Estimates what another time of the selection, of its name or of its lane would save."),
        words=("estimate", "saving", "factor", "slower", "faster"),
        submenu=ANALYSIS,
    ),
)
