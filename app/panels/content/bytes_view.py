"""A blob without a decoder: its known properties, its signature, and its bytes."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.analysis.popef.magics import HEAD, recognised
from app.document.background import Background, Task
from app.language import tr
from app.panels.content.hex_view import HexView
from app.panels.content.subject import BytesSubject, FirstDifference
from app.profile.profile import Profile
from app.store.payload import Payload, read_bytes
from app.views.content import words
from app.views.look import Look
from app.widgets.display import Display
from app.widgets.texts import Label, MarkupLabel, paint_text, selectable

WHOLE = tr("There is no payload; these are the header and the message of the blob.")


class BytesView(QWidget):
    """Facts about a blob above its bytes. Signatures are looked for at the start of a payload only, not in a whole
    blob."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.title, self.facts = selectable(MarkupLabel(self)), selectable(Label(parent=self))
        self.facts.setWordWrap(True)
        self.difference = FirstDifference(display, self)
        self.hex = HexView(display, self)
        self.difference.wanted.connect(self.hex.go_to)
        self._background = Background(self)
        self._said = ""
        self._shown: tuple[Profile, BytesSubject] | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.setSpacing(3)
        for part in (self.title, self.facts):
            part.setContentsMargins(8, 0, 8, 0)
            layout.addWidget(part)
        layout.addWidget(self.difference)
        layout.addWidget(self.hex, 1)
        self.setFocusProxy(self.hex)
        display.changed.connect(self._look_changed)
        self._look_changed(display.look)

    def show_bytes(self, profile: Profile, subject: BytesSubject) -> None:
        payload = subject.payload
        self._shown = profile, subject
        self._entitle()
        self._said = words.blob_facts(profile, subject.blob, self._display.look)
        self.facts.setText(" · ".join(part for part in (self._said, WHOLE if subject.whole else "") if part))
        self.hex.show_payload(payload)
        self._background.cancel()
        if not subject.whole:
            self._background.run(
                Task(
                    lambda _token, _report: recognised(read_bytes(payload, 0, HEAD), payload.size),
                    self._recognised,
                    lambda _: None,  # the bytes below already show that reading failed
                )
            )

    def clear(self) -> None:
        """Releases the profile, and cancels reading."""
        self._shown = None
        self._background.cancel()

    @property
    def busy(self) -> bool:
        """Whether bytes are being compared."""
        return self.difference.busy

    def compare_with(self, baseline: Payload | None, why: str = "") -> None:
        """Marks what differs from ``baseline`` (None: nothing); ``why``: why there is none in the baseline."""
        self.hex.compare_with(baseline)
        payload = None if self._shown is None else self._shown[1].payload
        self.difference.show_payloads(baseline, payload, why)

    def _recognised(self, name: str) -> None:
        signature = tr("begins like {name}", name=name) if name else tr("begins with no known signature")
        self.facts.setText(" · ".join(part for part in (self._said, signature) if part))

    def _entitle(self) -> None:
        """Updates the title, which contains colours and units of the look."""
        if self._shown is not None:
            profile, subject = self._shown
            title = words.blob_title(profile, subject.blob, subject.payload.size, self._display.look)
            self.title.show_markup(title)

    def _look_changed(self, look: Look) -> None:
        self._entitle()
        paint_text(self.facts, look.theme.muted)
