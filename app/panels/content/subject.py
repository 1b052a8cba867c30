"""What the content panel shows for a selection (a tensor, bytes of a blob, nothing), and where two differ first."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QWidget

from app.analysis.relations import translate
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.profile.popef import Blobs
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.store.payload import Payload, payload_of
from app.views.look import Look
from app.views.units import percent
from app.widgets.display import Display
from app.widgets.frame import bar_of
from app.widgets.texts import Label, paint_text, selectable

NOTHING = tr("Select a blob, a tensor or an anchor to see its content.")
USERS = tr("These files contain no data for this anchor: the user provides it at run time.")


class TensorSubject(Struct, frozen=True):
    """A row of the model's tensors and feeds, and its blob."""

    row: int
    blob: int


class BytesSubject(Struct, frozen=True):
    """The bytes of a blob: its payload, or the whole blob (``whole``) if it has none."""

    blob: int
    payload: Payload
    whole: bool


class Nothing(Struct, frozen=True):
    """Nothing to show, and the reason."""

    why: str


Subject: TypeAlias = TensorSubject | BytesSubject | Nothing


def subject_of(profile: Profile | None, selection: Selection | None) -> Subject:
    """The subject of the selection; the first one if several things are selected, the largest tensor if nothing is."""
    if profile is None or profile.blobs is None:
        return Nothing(NOTHING)
    if selection is None:
        return _largest(profile, profile.blobs)
    if selection.kind == "blob":
        return _of_blob(profile, profile.blobs, selection.first)
    if selection.kind not in ("tensor", "anchor"):
        return Nothing(NOTHING)
    rows = translate(profile, selection, "tensor").tolist()
    if not rows or profile.model is None or rows[0] >= len(profile.model.tensors):
        return Nothing(USERS if selection.kind == "anchor" else NOTHING)
    return TensorSubject(rows[0], int(profile.model.tensors.blob[rows[0]]))


def _largest(profile: Profile, blobs: Blobs) -> Subject:
    """The tensor or feed whose blob is the largest, the first of equal ones; nothing if there is none with values."""
    model = profile.model
    if model is None:
        return Nothing(NOTHING)
    readable = np.flatnonzero(model.tensors.data_type >= 0)
    if not readable.size:
        return Nothing(NOTHING)
    own = model.tensors.blob[readable]
    place = int(np.argmax(blobs.size[own]))
    return TensorSubject(int(readable[place]), int(own[place]))


def _of_blob(profile: Profile, blobs: Blobs, blob: int) -> Subject:
    if not 0 <= blob < len(blobs):
        return Nothing(NOTHING)
    rows = translate(profile, Selection("blob", (blob,)), "tensor").tolist()
    return TensorSubject(rows[0], blob) if rows else bytes_of(profile, blobs, blob)


def bytes_of(profile: Profile, blobs: Blobs, blob: int) -> BytesSubject:
    """The payload of a blob; the whole blob if there is no payload or its start is not known."""
    payload = payload_of(profile, blob)
    if payload is not None and payload.size:
        return BytesSubject(blob, payload, whole=False)
    offset, size = int(blobs.offset[blob]), int(blobs.size[blob])
    path = profile.origin.paths[int(blobs.file[blob])]
    whole = Payload(path, offset, size, offset, size, int(blobs.type[blob]))
    return BytesSubject(blob, whole if payload is None else replace(payload, offset=offset, size=size), whole=True)


class FirstDifference(QWidget):
    """Hidden without a baseline. Signal ``wanted`` (byte): the user wants to see the first difference."""

    wanted = Signal(object)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._place: int | None = None
        self._background = Background(self)
        self.text = selectable(Label(parent=self))
        self.button = QToolButton(self)
        self.button.setText(tr("Go to first difference"))
        self.button.setAutoRaise(True)
        self.button.clicked.connect(self._go)
        self.setLayout(bar_of(self.button, (self.text, 1)))
        display.changed.connect(self._paint)
        self._paint(display.look)
        self.hide()

    @property
    def busy(self) -> bool:
        return self._background.busy

    def show_payloads(self, before: Payload | None, after: Payload | None, why: str = "") -> None:
        """Looks for the first difference; ``why``: the reason for not comparing, shown instead."""
        self._background.cancel()
        self.button.hide()
        self.setVisible(bool(why) or (before is not None and after is not None))
        self.text.setText(why)
        if why or before is None or after is None:
            return
        from app.store.compare_contents import first_difference

        self.text.setText(tr("Comparing bytes with the baseline…"))
        self._background.run(
            Task(
                lambda token, report: first_difference(before, after, token, report),
                self._take,
                self._fail,
                lambda done, of: self.text.setText(
                    tr("Comparing bytes with the baseline: {done}", done=percent(100 * done / max(of, 1)))
                ),
            )
        )

    def _take(self, place: int | None) -> None:
        self._place = place
        self.button.setVisible(place is not None)
        if place is None:
            self.text.setText(tr("The baseline has the same bytes."))
        else:
            self.text.setText(
                tr("First different byte: {place:,} ({hexadecimal})", place=place, hexadecimal=f"{place:#x}")
            )

    def _fail(self, error: FormatError) -> None:
        self.text.setText(tr("The bytes cannot be compared: {error}", error=error))

    def _go(self) -> None:
        if self._place is not None:
            self.wanted.emit(self._place)

    def _paint(self, look: Look) -> None:
        paint_text(self.text, look.theme.muted)
