"""Notes on the timeline."""

from __future__ import annotations

from app.language import tr
from app.widgets.abilities import RenamesNotes, TakesNotes
from app.window.command import Command, CommandContext, Subject, nearest, on_canvas

NOTES = tr("Notes")
"""The submenu."""
CANVAS = on_canvas(TakesNotes)


def _can_mark(context: CommandContext) -> bool:
    document = context.document
    return CANVAS.find(context) is not None and (
        document.selection.value is not None or document.ranges.value.time is not None
    )


def _chosen(context: CommandContext) -> bool:
    return context.document.notes.chosen is not None


def _renamer(context: CommandContext) -> RenamesNotes | None:
    canvas = context.keys.canvas
    for start in (context.keys.last_focus, canvas):
        renamer = nearest(start, RenamesNotes)  # type: ignore[arg-type]
        if renamer is not None:
            return renamer
    return None


RENAMER = Subject(_renamer)


def _recolour(context: CommandContext) -> None:
    notes = context.document.notes
    if notes.chosen is not None:
        notes.recolour(notes.chosen)


def _remove(context: CommandContext) -> None:
    notes = context.document.notes
    if notes.chosen is not None:
        notes.remove(notes.chosen)


COMMANDS: tuple[Command, ...] = (
    Command(
        "notes.mark",
        tr("Add note to selection"),
        "Edit",
        CANVAS.act(lambda canvas: canvas.note_selection()),
        ("M",),
        enabled=_can_mark,
        canvas=True,
        places=("slice", "range"),
        separator=True,
        submenu=NOTES,
        help=tr("Adds a note that covers the selection, or else the range."),
    ),
    Command(
        "notes.here",
        tr("Add note here"),
        "Edit",
        CANVAS.act(lambda canvas: canvas.note_here()),
        ("K",),
        enabled=CANVAS.meets(),
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
        enabled=lambda context: _chosen(context) and RENAMER.find(context) is not None,
        places=("note",),
        submenu=NOTES,
        help=tr("Click a note to select it."),
    ),
    Command(
        "notes.recolour",
        tr("Next colour of note"),
        "Edit",
        _recolour,
        enabled=_chosen,
        places=("note",),
        submenu=NOTES,
    ),
    Command(
        "notes.remove",
        tr("Remove note"),
        "Edit",
        _remove,
        ("Del",),
        enabled=_chosen,
        places=("note",),
        submenu=NOTES,
    ),
)
