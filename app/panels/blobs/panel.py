"""The blobs panel."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from app.analysis.links import translate
from app.analysis.tables.popef_blobs import blobs
from app.document.document import Update
from app.panels.blobs.filling import dwarfed, filling
from app.panels.blobs.strip import BlobStrip
from app.profile.blobs import Blobs
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.context import Context
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tips import set_tip

SOURCE = "blobs"
STRIP = "blobs/strip"
EMPTY = "The file holds no whole blob; Issues says why."
COMPACT_TIP = "Blobs as wide as the logarithm of their size, so that large ones leave room for the others"


class BlobsPanel(QWidget):
    """The strip above, the table below; what is chosen in one is marked in the other."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._blobs: Blobs | None = None
        self.strip = BlobStrip(context.display, self)
        self.compact = _toggle(self.strip)
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.strip)
        layout.addWidget(self.table, 1)
        self.setFocusProxy(self.table)
        self.strip.installEventFilter(self)
        self._refresh = Refresh(self, self._show)
        self._connect()
        self._refresh.request()

    def _connect(self) -> None:
        document = self._context.document
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        self.strip.chosen.connect(self._chosen)
        self.strip.pointed.connect(self._pointed)
        self.compact.clicked.connect(self._fill)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.strip and event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            at = self.strip.rect().bottomRight()
            hint = self.compact.sizeHint()
            self.compact.setGeometry(at.x() - hint.width() - 4, at.y() - hint.height() + 1, hint.width(), hint.height())
            self.strip.reserved = hint.width() + 4.0
        return super().eventFilter(watched, event)

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("blobs"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        table = None if profile is None else blobs(profile)
        if profile is None or table is None:
            self._blobs = None
            self.strip.set_strip(None)
            return
        if profile.blobs is not self._blobs:
            self._blobs = profile.blobs
            self.compact.setChecked(bool(self._blobs is not None and dwarfed(self._blobs)))
        self._fill()
        self._link.show(table, empty=EMPTY)
        self._selected(self._context.document.selection.value)

    def _fill(self) -> None:
        profile = self._context.document.profile
        if profile is None or self._blobs is None or not len(self._blobs):
            self.strip.hide()
            return
        self.strip.set_strip(filling(self._blobs, compact=self.compact.isChecked()), _names(profile))
        self.strip.show()

    def _chosen(self, blob: int, adding: bool) -> None:
        held = self._context.document.selection
        before = held.value.indices if adding and held.value is not None and held.value.kind == "blob" else ()
        chosen = tuple(b for b in before if b != blob) if blob in before else (*before, blob)
        held.set(Selection("blob", chosen, STRIP) if chosen else None)

    def _selected(self, selection: Selection | None) -> None:
        self.strip.mark(self._translated(selection), reveal=selection is None or selection.source != STRIP)

    def _pointed(self, blob: int) -> None:
        self._context.document.hover.set(Selection("blob", (blob,), STRIP) if blob >= 0 else None)

    def _hovered(self, hover: Selection | None) -> None:
        if hover is None or hover.source != STRIP:
            found = self._translated(hover) if hover is not None and hover.kind in ("blob", "tensor") else ()
            self.strip.hover(found[0] if found else -1)

    def _translated(self, selection: Selection | None) -> tuple[int, ...]:
        profile = self._context.document.profile
        if selection is None or profile is None or self._blobs is None:
            return ()
        return tuple(b for b in translate(profile, selection, "blob").tolist() if 0 <= b < len(self._blobs))


def _names(profile: Profile) -> list[str]:
    return [path.name for path in profile.origin.paths]


def _toggle(parent: QWidget) -> QToolButton:
    button = QToolButton(parent)
    button.setText("Compact")
    button.setCheckable(True)
    button.setAutoRaise(True)
    set_tip(button, COMPACT_TIP)
    button.setAccessibleDescription(COMPACT_TIP)
    return button
