"""Notes are made, named, recoloured and removed on the canvas."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtWidgets import QWidget

from app.language import tr
from app.profile.selection import TimeRange
from app.views.timeline.state import Shown
from app.widgets.fields import InlineEdit
from app.widgets.timeline.note_strip import note_boxes
from app.widgets.timeline.stage import Stage


class NoteTaking(QObject):
    """``field``: over the name that is being written. Signals: ``wanted`` (TimeRange, name, which is to be written at
    once), ``renamed`` (index, name)."""

    wanted = Signal(object, str)
    renamed = Signal(object, str)

    def __init__(self, stage: Stage, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._stage = stage
        self._edited = -1
        self._edited_id = ""
        self.field = InlineEdit(canvas)
        self.field.written.connect(self._written)

    def note_selection(self) -> None:
        """A note over the extent of the selected slices or lanes, else of the range, else at the pointer; its name is
        written next."""
        shown, stretch = self._stage.shown, self._stage.selected_stretch()
        if shown is None:
            return
        if stretch is not None:
            self.wanted.emit(stretch, self._name_of_selection(shown))
        elif self._stage.range is not None:
            self.wanted.emit(self._stage.range, tr("Range"))
        else:
            self.note_here()

    def note_here(self) -> None:
        """A note at the pointer, else in the middle of what is seen; its name is written next."""
        shown, moment = self._stage.shown, self._stage.marks.cursor
        if shown is not None:
            moment = (shown.view.start + shown.view.end) / 2 if moment is None else moment
            self.wanted.emit(TimeRange(moment, moment), tr("Note {count}", count=len(shown.notes.notes) + 1))

    def rename(self) -> None:
        """Opens a field over the name of the chosen note."""
        shown = self._stage.shown
        if shown is not None and shown.notes.chosen is not None:
            self.edit(shown.notes.chosen)

    def edit(self, index: int) -> None:
        """Opens a field over the name of a note, which is brought to view."""
        shown = self._stage.shown
        if shown is None or not 0 <= index < len(shown.notes.notes):
            return
        note = shown.notes.notes[index]
        shown.navigation.reveal_stretch(note.start, note.end)
        for box in note_boxes(shown.scene()):
            if box.number == index:
                left = max(box.name_at if box.narrow else box.left, shown.place.gutter)
                place = QRect(round(left), round(box.top), round(max(box.room - left, 0)), round(box.height))
                self._edited, self._edited_id = index, note.id
                self.field.edit(place, note.text, tr("Name of the note"))

    def _name_of_selection(self, shown: Shown) -> str:
        selected, lanes = self._stage.selected, self._stage.marks.lanes
        if not len(selected):
            return shown.model.lane_label(lanes[0]) if len(lanes) == 1 else tr("{count:,} lanes", count=len(lanes))
        return shown.model.name(int(selected[0])) if len(selected) == 1 else tr("{count:,} slices", count=len(selected))

    def _written(self, text: str) -> None:
        """Renames the note that is edited, wherever it is by now: notes of another window can have been merged in."""
        shown = self._stage.shown
        notes = () if shown is None else shown.notes.notes
        places = [place for place, note in enumerate(notes) if note.id == self._edited_id]
        if places:
            self.renamed.emit(self._edited if self._edited in places else places[0], text)
