"""Lanes of the timeline: pinning, hiding, selecting, folding and moving them, as with the mouse on their names and
triangles; hiding slices by their names; and aligning a timeline with that of the baseline."""

from __future__ import annotations

from typing import Final

from app.language import tr
from app.views.texts import shown_line
from app.views.timeline.colour_choice import CHOICES, TITLES, ColourBy
from app.widgets.abilities import (
    ArrangesLanes,
    ColoursSlices,
    ComparesTimelines,
    HasLanes,
    HidesSlices,
    LaneArrangement,
    PinsLanes,
)
from app.window.command import ALIGNING, DIFFERENCES, LANES, Command, CommandContext, Subject, focused, on_canvas

CANVAS = on_canvas(PinsLanes)


SLICES = on_canvas(HidesSlices)
NAMED = on_canvas(HasLanes)
MOVING = tr(
    "Moves a lane within its process, a pinned lane among pinned lanes, or a process. With the mouse: drag its name."
)
SHOWN_MS: Final = 5000
COLOURS = on_canvas(ColoursSlices)
COLOUR_BY = "colour_by"
COLOUR_HELP: Final[dict[ColourBy, str]] = {
    "auto": tr("Colours slices by category, or by name where nearly all have one category."),
    "name": tr("Colours slices by name. Numbers and addresses in names make no difference."),
    "category": tr("Colours slices by the category in the file."),
    "process": tr("Colours slices by the process of their lane."),
    "duration": tr("Colours slices by how long they last, on a logarithmic scale."),
    "argument": tr("Colours slices by the value of one of their arguments, which is read from the file."),
}
COMPARED = focused(ComparesTimelines)


def _can_hide(context: CommandContext) -> bool:
    selected = context.document.selection.value
    return SLICES.find(context) is not None and selected is not None and selected.kind == "slice"


def _arrangement(context: CommandContext) -> LaneArrangement | None:
    canvas = context.keys.canvas
    return canvas.arrangement if isinstance(canvas, ArrangesLanes) else None


def _pin(context: CommandContext, canvas: PinsLanes) -> None:
    if canvas.why_no_pin:
        context.footer.showMessage(shown_line(canvas.why_no_pin), SHOWN_MS)
    else:
        canvas.toggle_pin()


def _colour_by(wanted: ColourBy) -> Command:
    return Command(
        f"canvas.colour_{wanted}",
        TITLES[wanted],
        "View",
        COLOURS.act(lambda canvas: canvas.set_colour_by(wanted)),
        enabled=COLOURS.meets(lambda canvas: canvas.colour_by is not None and canvas.can_colour_by(wanted)),
        checked=COLOURS.meets(lambda canvas: canvas.colour_by == wanted),
        places=(COLOUR_BY,),
        submenu=tr("Colour by"),
        help=COLOUR_HELP[wanted],
        words=("color by", "coloring", "legend", "hue", "args"),
    )


ARRANGEMENT = Subject(_arrangement)


COMMANDS: tuple[Command, ...] = (
    Command(
        "canvas.pin",
        tr("Pin or unpin lane"),
        "View",
        CANVAS.act_in(_pin),
        ("P",),
        enabled=CANVAS.meets(lambda canvas: canvas.lane_to_pin() is not None or bool(canvas.why_no_pin)),
        canvas=True,
        places=("lane", "slice"),
        help=tr("Keeps the lane of the selection, or under the pointer, at the top while others scroll."),
        submenu=LANES,
    ),
    Command(
        "canvas.unpin_all",
        tr("Unpin all lanes"),
        "View",
        CANVAS.act(lambda canvas: canvas.unpin_all()),
        enabled=CANVAS.meets(lambda canvas: canvas.any_pinned),
        places=("lane", "time", "process"),
        submenu=LANES,
    ),
    Command(
        "canvas.hide_names",
        tr("Hide slices with this name"),
        "View",
        SLICES.act(lambda canvas: canvas.hide_selected()),
        enabled=_can_hide,
        places=("slice",),
        help=tr("Hides them in the timeline; figures still include them."),
        submenu=LANES,
    ),
    Command(
        "canvas.only_names",
        tr("Only slices with this name"),
        "View",
        SLICES.act(lambda canvas: canvas.keep_selected()),
        enabled=_can_hide,
        places=("slice",),
        help=tr("Hides all other slices in the timeline; figures still include them."),
        words=("filter", "isolate", "show only"),
        submenu=LANES,
    ),
    Command(
        "canvas.pipes_only",
        tr("Pipes only"),
        "View",
        SLICES.act(lambda canvas: canvas.toggle_pipes_only()),
        ("Shift+P",),
        enabled=SLICES.meets(lambda canvas: canvas.can_show_pipes_only),
        checked=SLICES.meets(lambda canvas: canvas.pipes_only),
        canvas=True,
        places=("lane", "time", "process"),
        help=tr(
            "Hides flags, barriers and scalar lanes of an Ascend timeline, or shows them again. The statistics by name "
            "follow it."
        ),
        words=("hide flags", "hide barriers", "hide scalar", "noise", "SET_FLAG", "WAIT_FLAG"),
        submenu=LANES,
    ),
    Command(
        "canvas.show_all",
        tr("Show hidden items"),
        "View",
        SLICES.act(lambda canvas: canvas.show_all()),
        enabled=SLICES.meets(lambda canvas: canvas.anything_hidden),
        places=("lane", "time", "process"),
        help=tr("Clears the lane filter, shows hidden lanes and names, and ends “Pipes only”."),
        submenu=LANES,
    ),
    *map(_colour_by, CHOICES),
    Command(
        "canvas.choose_lane",
        tr("Select lane"),
        "View",
        NAMED.act(lambda canvas: canvas.choose_lane()),
        ("L",),
        enabled=NAMED.meets(lambda canvas: canvas.current_lane() is not None),
        canvas=True,
        places=("slice",),
        help=tr("Selects the lane under the pointer, or of the selection. With the mouse: click its name."),
        submenu=LANES,
    ),
    Command(
        "canvas.fold_lane",
        tr("Collapse or expand lane"),
        "View",
        NAMED.act(lambda canvas: canvas.toggle_fold()),
        ("E",),
        enabled=NAMED.meets(lambda canvas: canvas.can_fold()),
        canvas=True,
        places=("lane", "slice"),
        help=tr(
            "Shows a lane of several rows as one row. With the mouse: click its triangle, or double-click its name."
        ),
        submenu=LANES,
    ),
    Command(
        "canvas.fold_process",
        tr("Collapse or expand process"),
        "View",
        NAMED.act(lambda canvas: canvas.toggle_process()),
        ("Shift+E",),
        enabled=NAMED.meets(lambda canvas: canvas.can_fold_process()),
        canvas=True,
        places=("lane", "slice", "process"),
        help=tr(
            "Shows all lanes of a process as one row. With the mouse: click its triangle, or double-click its name."
        ),
        submenu=LANES,
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
        help=tr(
            "Hides the lane, counter or process under the pointer, or else the selected lanes. A "
            "chip above the timeline shows them again."
        ),
        words=("remove row", "filter lanes"),
        submenu=LANES,
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
        submenu=LANES,
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
        submenu=LANES,
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
        submenu=LANES,
    ),
    Command(
        "timelines.next_difference",
        tr("Next timeline difference"),
        "Compare",
        COMPARED.act(lambda panel: panel.step_difference(1)),
        ("N",),
        enabled=COMPARED.meets(lambda panel: panel.can_step_difference),
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
        "Compare",
        COMPARED.act(lambda panel: panel.step_difference(-1)),
        ("Shift+N",),
        enabled=COMPARED.meets(lambda panel: panel.can_step_difference),
        canvas=True,
        submenu=DIFFERENCES,
    ),
    Command(
        "timelines.align",
        tr("Align timelines at this slice"),
        "Compare",
        COMPARED.act(lambda panel: panel.align_here()),
        enabled=COMPARED.meets(lambda panel: panel.can_align),
        places=("slice",),
        help=tr("Starts the selected slice and its match in the baseline at the same place."),
        words=("compare", "baseline"),
        submenu=ALIGNING,
    ),
    Command(
        "timelines.align_ends",
        tr("Align timelines at the end of this slice"),
        "Compare",
        COMPARED.act(lambda panel: panel.align_here(end=True)),
        enabled=COMPARED.meets(lambda panel: panel.can_align),
        places=("slice",),
        help=tr("Ends the selected slice and its match in the baseline at the same place."),
        words=("compare", "baseline"),
        submenu=ALIGNING,
    ),
    Command(
        "timelines.align_with_selected",
        tr("Align with the selected slice"),
        "",
        COMPARED.act(lambda panel: panel.align_with_selected()),
        enabled=COMPARED.meets(lambda panel: panel.can_align_with_selected),
        places=("baseline_slice",),
        help=tr("Starts this slice of the baseline and the selected slice of the comparison at the same place."),
        submenu=ALIGNING,
    ),
    Command(
        "timelines.align_ends_with_selected",
        tr("Align the end with that of the selected slice"),
        "",
        COMPARED.act(lambda panel: panel.align_with_selected(end=True)),
        enabled=COMPARED.meets(lambda panel: panel.can_align_with_selected),
        places=("baseline_slice",),
        help=tr("Ends this slice of the baseline and the selected slice of the comparison at the same place."),
        submenu=ALIGNING,
    ),
)
