"""Says where the bytes of two payloads differ first, and leads there."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QWidget

from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.store.payload import Payload
from app.views.look import Look
from app.views.units import percent
from app.widgets.display import Display
from app.widgets.frame import bar_of
from app.widgets.labels import Label, paint_text, selectable


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
