"""The blobs panel."""

from __future__ import annotations

from PySide6.QtWidgets import QToolButton, QWidget

from app.analysis.tables.popef import blobs
from app.language import tr
from app.panels.blobs.strip import StripScene
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.profile.popef import Blobs
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.blobs import dwarfed, filling
from app.views.texts import shown_line
from app.widgets.abilities import HasPicture
from app.widgets.contents_compared import ComparedPages, ContentsCompared
from app.widgets.controls import Controls
from app.widgets.frame import MARGIN
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.shared import Shared
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.texts import Label
from app.widgets.tips import set_tip

STRIP = "blobs/strip"
TABLES = ("executables", "opaques")
COMPACT_TIP = tr("Scale blobs by the logarithm of their size, so that small ones stay visible")


class BlobsPanel(Panel):
    """The strip above, the table below; selecting in one marks the other. With a baseline, its strip stands below, the
    table shows how both differ, and executables and opaque data are compared by their content."""

    spec = SPECS["blobs"]
    compares = True
    empty = tr("The file contains no complete blob; see Issues.")

    def build(self) -> None:
        self._blobs: Blobs | None = None
        self.strip: PlaneCanvas[StripScene] = PlaneCanvas(self.context.display, self)
        self.compact = _toggle(self)
        self.table = TableWidget(self.context.display, self)
        self._shown = ProfileTable(self.context, self.table, self.spec.id)
        self.contents = ContentsCompared(self.context, TABLES, "blob", self.spec.id, self)
        titles = tr("Blobs"), tr("Contents")
        tips = tr("Each blob before and after"), tr("Whether executables and opaque data have the same bytes")
        self.compared = ComparedPages(self.table, self.contents, titles, tips, self)
        self.shared = Shared(self.context.document, STRIP)
        self.before_name = Label(parent=self)
        self.before_strip: PlaneCanvas[StripScene] = PlaneCanvas(self.context.display, self)
        self.before_strip.setAccessibleName(tr("Layout of the baseline's file"))
        self.before_name.setContentsMargins(MARGIN, 0, MARGIN, 0)
        parts = self.strip, self.before_name, self.before_strip, (self.compared, 1)
        controls = Controls(self, (self.compared.bar, 1), self.compact, folds=(self.compact,))
        self.lay_out(*parts, home=self.table, controls=controls)
        self.strip.chosen.connect(lambda blobs, adding: self.shared.toggle("blob", int(blobs[0]), adding=adding))
        self.strip.pointed.connect(lambda blob, _: self.shared.point("blob", blob))
        self.compact.clicked.connect(self._fill)

    def tabular(self) -> Tabular:
        return self.compared.shown

    def picture(self) -> HasPicture:
        return self.strip

    def clear(self) -> None:
        self._blobs = None
        self.strip.set_scene(None)
        self._show_before(None)
        self._shown.clear()
        self.compared.show_comparison(None)

    def fill(self, profile: Profile) -> None:
        table = blobs(profile)
        if table is None:
            return
        if profile.blobs is not self._blobs:
            self._blobs = profile.blobs
            self.compact.setChecked(bool(self._blobs is not None and dwarfed(self._blobs)))
        self._fill()
        self._shown.show(blobs, table=table, empty=self.empty)
        self.compared.show_comparison(self.comparison)

    def _fill(self) -> None:
        profile = self.profile
        if profile is None or self._blobs is None or not len(self._blobs):
            self.strip.hide()
            self._show_before(None)
            return
        shown = filling(self._blobs, compact=self.compact.isChecked())
        self.strip.set_scene(StripScene(shown, _names(profile)))
        self.strip.show()
        self._show_before(None if self.comparison is None else self.comparison.before)

    def _show_before(self, profile: Profile | None) -> None:
        """Shows the strip of the baseline, if it has one."""
        own = None if profile is None else profile.blobs
        there = profile is not None and own is not None and len(own) > 0
        for part in (self.before_name, self.before_strip):
            part.setVisible(there)
        if profile is None or own is None or not there:
            self.before_strip.set_scene(None)
            return
        self.before_name.setText(tr("Baseline: {name}", name=shown_line(profile.name)))
        shown = filling(own, compact=self.compact.isChecked())
        self.before_strip.set_scene(StripScene(shown, _names(profile)))

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        self.strip.mark(self._translated(selection), reveal=reveal or selection is None)

    def show_hover(self, hover: Selection | None) -> None:
        pointed = self._translated(hover) if hover is not None and hover.kind in ("blob", "tensor") else ()
        self.strip.hover(pointed[0] if pointed else -1)

    def _translated(self, selection: Selection | None) -> tuple[int, ...]:
        count = 0 if self._blobs is None else len(self._blobs)
        return tuple(blob for blob in self.shared.items(selection, "blob").tolist() if 0 <= blob < count)


def _names(profile: Profile) -> list[str]:
    return [path.name for path in profile.origin.paths]


def _toggle(parent: QWidget) -> QToolButton:
    button = QToolButton(parent)
    button.setText(tr("Compact"))
    button.setCheckable(True)
    button.setAutoRaise(True)
    set_tip(button, COMPACT_TIP)
    button.setAccessibleDescription(COMPACT_TIP)
    return button
