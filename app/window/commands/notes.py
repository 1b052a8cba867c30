"""Notes on the timeline, pinned lanes, hidden slices."""

from __future__ import annotations

from app.language import tr
from app.widgets.abilities import HidesSlices, PinsLanes, RenamesNotes, TakesNotes
from app.window.command import Command, CommandContext
from app.window.reach import nearest


def _takes_notes(context: CommandContext) -> TakesNotes | None:
    canvas = context.keys.canvas
    return canvas if isinstance(canvas, TakesNotes) else None


def _pins(context: CommandContext) -> PinsLanes | None:
    canvas = context.keys.canvas
    return canvas if isinstance(canvas, PinsLanes) else None


def _can_mark(context: CommandContext) -> bool:
    document = context.document
    return _takes_notes(context) is not None and (
        document.selection.value is not None or document.ranges.value.time is not None
    )


def _mark(context: CommandContext) -> None:
    canvas = _takes_notes(context)
    if canvas is not None:
        canvas.note_selection()


def _note(context: CommandContext) -> None:
    canvas = _takes_notes(context)
    if canvas is not None:
        canvas.note_here()


def _chosen(context: CommandContext) -> bool:
    return context.document.notes.chosen is not None


def _renamer(context: CommandContext) -> RenamesNotes | None:
    canvas = context.keys.canvas
    for start in (context.keys.last_focus, canvas):
        renamer = nearest(start, RenamesNotes)  # type: ignore[arg-type]
        if renamer is not None:
            return renamer
    return None


def _rename(context: CommandContext) -> None:
    holder = _renamer(context)
    if holder is not None:
        holder.rename_note()


def _recolour(context: CommandContext) -> None:
    notes = context.document.notes
    if notes.chosen is not None:
        notes.recolour(notes.chosen)


def _remove(context: CommandContext) -> None:
    notes = context.document.notes
    if notes.chosen is not None:
        notes.remove(notes.chosen)


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


HIDING = tr("Hide lanes and slices")


COMMANDS: tuple[Command, ...] = (
    Command(
        "notes.mark",
        tr("Add note to selection"),
        "Edit",
        _mark,
        ("M",),
        enabled=_can_mark,
        canvas=True,
        places=("slice", "range"),
        separator=True,
        submenu=tr("Notes"),
        help=tr("Adds a note that covers the selection, or else the range."),
    ),
    Command(
        "notes.here",
        tr("Add note here"),
        "Edit",
        _note,
        ("K",),
        enabled=lambda context: _takes_notes(context) is not None,
        canvas=True,
        places=("time",),
        submenu=tr("Notes"),
        help=tr(
            "Adds a note at the pointer, or in the middle of the view. Notes are saved by Tilesight, not in the file."
        ),
    ),
    Command(
        "notes.rename",
        tr("Rename note"),
        "Edit",
        _rename,
        ("F2",),
        enabled=lambda context: _chosen(context) and _renamer(context) is not None,
        places=("note",),
        submenu=tr("Notes"),
        help=tr("Click a note to select it."),
    ),
    Command(
        "notes.recolour",
        tr("Next colour of note"),
        "Edit",
        _recolour,
        enabled=_chosen,
        places=("note",),
        submenu=tr("Notes"),
    ),
    Command(
        "notes.remove",
        tr("Remove note"),
        "Edit",
        _remove,
        ("Del",),
        enabled=_chosen,
        places=("note",),
        submenu=tr("Notes"),
    ),
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
