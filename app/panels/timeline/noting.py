"""Notes of the timeline: made and named on the canvas or in their list, kept by the document."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from app.document.document import Document
from app.panels.timeline.strip import Strip
from app.profile.selection import TimeRange
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.overview import Overview


class Noting(QObject):
    """Ties canvas, overview and list to the notes of the document."""

    def __init__(self, document: Document, canvas: TimelineCanvas, overview: Overview, strip: Strip) -> None:
        super().__init__(canvas)
        self._notes = document.notes
        self._canvas, self._overview, self._strip = canvas, overview, strip
        document.notes.changed.connect(self.show_notes)
        canvas.note_wanted.connect(self._note)
        canvas.note_chosen.connect(document.notes.choose)
        canvas.note_renamed.connect(document.notes.rename)
        strip.note_chosen.connect(self._choose)
        strip.note_renamed.connect(document.notes.rename)

    def show_notes(self) -> None:
        """They changed, or another timeline is shown."""
        self._canvas.set_notes(self._notes.value, self._notes.chosen)
        self._overview.update()
        self._strip.set_notes(self._notes.value, self._notes.chosen)

    def rename(self) -> None:
        """Opens a field over the name of the chosen note, in the list or on the canvas."""
        focus = QApplication.focusWidget()
        in_list = focus is not None and self._strip.isAncestorOf(focus)
        if not (in_list and self._strip.rename_note()):
            self._canvas.rename_note()

    def _note(self, stretch: TimeRange, text: str, write: bool) -> None:
        """A new note; ``write``: its name is written at once."""
        self._notes.add(stretch.start, stretch.end, text)
        if write and self._notes.chosen is not None:
            self._canvas.edit_note(self._notes.chosen)

    def _choose(self, index: int) -> None:
        """A note was chosen in the list: it is brought to view."""
        self._notes.choose(index)
        if self._notes.chosen is not None:
            note = self._notes.value[self._notes.chosen]
            self._canvas.reveal_stretch(note.start, note.end)
