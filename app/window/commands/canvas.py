"""Commands of a canvas (the timeline and every other picture that zooms and pans), and notes on the timeline."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.language import tr
from app.profile.selection import Selection
from app.views.texts import shown_line
from app.widgets.abilities import RenamesNotes, TakesNotes, ZoomsToRange
from app.widgets.canvas import Canvas
from app.widgets.gestures import MOVE_NOTCH, ZOOM_NOTCH
from app.window.command import ITEMS, RANGE, ZOOMING, Command, CommandContext, Menu, Subject, on_canvas
from app.window.nearest import nearest

if TYPE_CHECKING:
    from app.profile.profile import Profile

CANVAS = on_canvas(Canvas)
OVER_TIME = on_canvas(ZoomsToRange)

ZOOM, FAST_ZOOM = ZOOM_NOTCH, 2.5
PAN, FAST_PAN = MOVE_NOTCH, 0.5
FAST_ROWS = 8
IN_MENUS = {
    "canvas.fit": ("canvas",),
    "canvas.back": ("canvas",),
    "canvas.focus": ("slice", "note", "tile", "blob", "access", "onchip_block", "memory_path", "roof", "cache_line"),
    "canvas.range": ("slice", "note", "tile"),
}
"""Command id → ``Command.places``, for canvas commands in context menus."""
SUBMENUS = {
    "canvas.fit": ZOOMING,
    "canvas.focus": ZOOMING,
    "canvas.zoom_in": ZOOMING,
    "canvas.zoom_out": ZOOMING,
    "canvas.next_item": ITEMS,
    "canvas.previous_item": ITEMS,
    "canvas.range": RANGE,
}
"""Command id → ``Command.submenu``."""
WALKS = tr("Moves the cursor of a chart; Enter selects the item at the cursor.")
STEPS_LANES = tr("Selects the lane in a timeline; moves the cursor of other charts.")
PAGE = 10
"""Items, or rows of items, that Page Up and Page Down pass."""
SHOWN_MS = 5000
SELECT_SLICE = tr("Select a slice first: this goes along what it waited for, or what waits for it.")
NOTES = tr("Notes")
"""The submenu."""
NOTE_CANVAS = on_canvas(TakesNotes)
NOTE = Subject(lambda context: context.document.notes.chosen)


def _across(canvas: Canvas, direction: int) -> None:
    if not canvas.walk(direction, 0):
        canvas.pan(direction * PAN)


def _down(canvas: Canvas, direction: int) -> None:
    if not canvas.walk(0, direction):
        canvas.scroll_rows(direction)


def _page(canvas: Canvas, direction: int) -> None:
    if not canvas.walk(0, direction * PAGE):
        canvas.scroll_rows(direction * FAST_ROWS)


def _slice_meant(context: CommandContext) -> tuple[Profile, int] | None:
    """The selected slice, the first of several, with its profile."""
    selected, profile = context.document.selection.value, context.document.profile
    if selected is None or selected.kind != "slice" or profile is None or profile.timeline is None:
        return None
    return profile, selected.first


SLICE = Subject(_slice_meant)


def _go_beside(context: CommandContext, meant: tuple[Profile, int], direction: int) -> None:
    """Follows a flow arrow at once, and what else is known of what waits for what as soon as that is looked up."""
    from app.analysis.timeline.times import linked

    profile, index = meant
    other = None if profile.timeline is None else linked(profile.timeline.flows, index, direction)
    if other is None:
        context.time_questions.go_beside(profile, index, direction)
    else:
        context.document.selection.set(Selection("slice", (other,), "arrow"))


def _can_go_linked(context: CommandContext) -> bool:
    """On a timeline also without a slice, which is what the status bar asks for then."""
    return SLICE.find(context) is not None or NOTE_CANVAS.find(context) is not None


def _go_linked(context: CommandContext, direction: int) -> None:
    meant = SLICE.find(context)
    if meant is None:
        context.footer.showMessage(SELECT_SLICE, SHOWN_MS)
    else:
        _go_beside(context, meant, direction)


def _can_zoom_to_range(context: CommandContext) -> bool:
    return OVER_TIME.find(context) is not None and context.document.ranges.value.time is not None


def _command(
    name: str,
    text: str,
    menu: Menu,
    act: Callable[[Canvas], object],
    *keys: str,
    help: str = "",  # noqa: A002
    separator: bool = False,
    icon: str = "",
    says: bool = False,
) -> Command:
    """``says``: the status bar shows what ``act`` returns, unless that is ""."""

    def run(context: CommandContext, canvas: Canvas) -> None:
        text = act(canvas)
        if says and text:
            context.footer.showMessage(shown_line(str(text)), SHOWN_MS)

    return Command(
        name,
        text,
        menu,
        CANVAS.act_in(run),
        keys,
        enabled=CANVAS.meets(),
        canvas=True,
        places=IN_MENUS.get(name, ()),
        help=help,
        separator=separator,
        submenu=SUBMENUS.get(name, ""),
        icon=icon,
    )


def _renamer(context: CommandContext) -> RenamesNotes | None:
    canvas = context.keys.canvas
    for start in (context.keys.last_focus, canvas):
        renamer = nearest(start, RenamesNotes)  # type: ignore[arg-type]
        if renamer is not None:
            return renamer
    return None


RENAMER = Subject(_renamer)


COMMANDS: tuple[Command, ...] = (
    _command(
        "canvas.fit",
        tr("Fit all"),
        "View",
        lambda canvas: canvas.fit(),
        "0",
        "Ctrl+0",
        icon="maximize",
        separator=True,
        help=tr("Shows the whole width of the timeline or chart."),
    ),
    _command(
        "canvas.focus",
        tr("Zoom to selection"),
        "View",
        lambda canvas: canvas.focus_selection(),
        "F",
        help=tr("Zooms to the range if nothing is selected. Repeat to fit all."),
    ),
    _command(
        "canvas.zoom_in",
        tr("Zoom in"),
        "View",
        lambda canvas: canvas.zoom(ZOOM),
        "W",
        "+",
        help=tr("Zooms at the pointer."),
    ),
    _command("canvas.zoom_out", tr("Zoom out"), "View", lambda canvas: canvas.zoom(1 / ZOOM), "S", "-"),
    _command("canvas.zoom_in_fast", tr("Zoom in fast"), "", lambda canvas: canvas.zoom(FAST_ZOOM), "Shift+W"),
    _command("canvas.zoom_out_fast", tr("Zoom out fast"), "", lambda canvas: canvas.zoom(1 / FAST_ZOOM), "Shift+S"),
    _command("canvas.left", tr("Move left"), "", lambda canvas: canvas.pan(-PAN), "A"),
    _command("canvas.right", tr("Move right"), "", lambda canvas: canvas.pan(PAN), "D"),
    _command(
        "canvas.left_fast", tr("Move left fast"), "", lambda canvas: canvas.pan(-FAST_PAN), "Shift+A", "Shift+Left"
    ),
    _command(
        "canvas.right_fast", tr("Move right fast"), "", lambda canvas: canvas.pan(FAST_PAN), "Shift+D", "Shift+Right"
    ),
    _command("canvas.item_left", tr("Item to the left"), "", lambda canvas: _across(canvas, -1), "Left", help=WALKS),
    _command("canvas.item_right", tr("Item to the right"), "", lambda canvas: _across(canvas, 1), "Right", help=WALKS),
    _command("canvas.up", tr("Lane or item above"), "", lambda canvas: _down(canvas, -1), "Up", help=STEPS_LANES),
    _command("canvas.down", tr("Lane or item below"), "", lambda canvas: _down(canvas, 1), "Down", help=STEPS_LANES),
    _command("canvas.page_up", tr("Page up"), "", lambda canvas: _page(canvas, -1), "PgUp"),
    _command("canvas.page_down", tr("Page down"), "", lambda canvas: _page(canvas, 1), "PgDown"),
    _command("canvas.up_fast", tr("Rows up"), "", lambda canvas: canvas.scroll_rows(-FAST_ROWS), "Shift+Up"),
    _command("canvas.down_fast", tr("Rows down"), "", lambda canvas: canvas.scroll_rows(FAST_ROWS), "Shift+Down"),
    _command("canvas.first_item", tr("First item of the row"), "", lambda canvas: canvas.walk_to_end(-1), "Home"),
    _command("canvas.last_item", tr("Last item of the row"), "", lambda canvas: canvas.walk_to_end(1), "End"),
    _command(
        "canvas.choose",
        tr("Select the item at the cursor"),
        "",
        lambda canvas: canvas.choose(adding=False),
        "Return",
        "Enter",
        help=tr("In a timeline: the first slice in view on the selected lane."),
    ),
    _command(
        "canvas.choose_more",
        tr("Add the item at the cursor to the selection"),
        "",
        lambda canvas: canvas.choose(adding=True),
        "Shift+Return",
        "Shift+Enter",
    ),
    _command(
        "canvas.back",
        tr("Previous view"),
        "Go",
        lambda canvas: canvas.back(),
        "Backspace",
        icon="arrow-left",
        help=tr("Undoes one zoom or pan."),
    ),
    _command(
        "canvas.forward", tr("Next view"), "Go", lambda canvas: canvas.forward(), "Shift+Backspace", icon="arrow-right"
    ),
    _command(
        "canvas.next_item",
        tr("Next item on the row"),
        "Go",
        lambda canvas: canvas.step_item(1),
        ".",
        separator=True,
        says=True,
    ),
    _command(
        "canvas.previous_item",
        tr("Previous item on the row"),
        "Go",
        lambda canvas: canvas.step_item(-1),
        ",",
        says=True,
    ),
    Command(
        "canvas.next_linked",
        tr("Go to next linked item"),
        "Go",
        lambda context: _go_linked(context, 1),
        ("]",),
        enabled=_can_go_linked,
        canvas=True,
        places=("slice",),
        help=tr("Selects what waits for the selected slice: along an arrow, a flag, or the order of its lane."),
        words=("arrow", "flow", "waits", "dependency", "successor"),
        submenu=ITEMS,
    ),
    Command(
        "canvas.previous_linked",
        tr("Go to previous linked item"),
        "Go",
        lambda context: _go_linked(context, -1),
        ("[",),
        enabled=_can_go_linked,
        canvas=True,
        places=("slice",),
        help=tr("Selects what the selected slice waited for: along an arrow, a flag, or the order of its lane."),
        words=("arrow", "flow", "waited", "dependency", "predecessor", "cause"),
        submenu=ITEMS,
    ),
    Command(
        "canvas.zoom_range",
        tr("Zoom to range"),
        "View",
        OVER_TIME.act(lambda canvas: canvas.zoom_to_range()),
        enabled=_can_zoom_to_range,
        places=("range",),
        help=tr("With the mouse: double-click the range in the ruler."),
        submenu=ZOOMING,
    ),
    _command(
        "canvas.range",
        tr("Range from selection"),
        "Edit",
        lambda canvas: canvas.selection_to_range(),
        "R",
        help=tr("Sets the range to the time of the selection; Statistics and other tables follow it."),
    ),
    Command(
        "notes.mark",
        tr("Add note to selection"),
        "Edit",
        NOTE_CANVAS.act(lambda canvas: canvas.note_selection()),
        ("M",),
        enabled=NOTE_CANVAS.meets(),
        canvas=True,
        places=("slice", "range"),
        separator=True,
        submenu=NOTES,
        help=tr("Adds a note that covers the selection, or else the range, or else the pointer, and edits its name."),
    ),
    Command(
        "notes.here",
        tr("Add note here"),
        "Edit",
        NOTE_CANVAS.act(lambda canvas: canvas.note_here()),
        ("K",),
        enabled=NOTE_CANVAS.meets(),
        canvas=True,
        places=("time",),
        submenu=NOTES,
        help=tr(
            "Adds a note at the pointer, or in the middle of the view. Notes are saved by Tilesight, not in the file."
        ),
    ),
    Command(
        "notes.rename",
        tr("Rename note"),
        "Edit",
        RENAMER.act(lambda holder: holder.rename_note()),
        ("F2",),
        enabled=lambda context: NOTE.find(context) is not None and RENAMER.find(context) is not None,
        places=("note",),
        submenu=NOTES,
        help=tr("Click a note to select it."),
    ),
    Command(
        "notes.recolour",
        tr("Next colour of note"),
        "Edit",
        NOTE.act_in(lambda context, note: context.document.notes.recolour(note)),
        enabled=NOTE.meets(),
        places=("note",),
        submenu=NOTES,
    ),
    Command(
        "notes.remove",
        tr("Remove note"),
        "Edit",
        NOTE.act_in(lambda context, note: context.document.notes.remove(note)),
        ("Del",),
        enabled=NOTE.meets(),
        places=("note",),
        submenu=NOTES,
    ),
)
