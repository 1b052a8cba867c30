"""The model panel."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.analysis.links import translate
from app.analysis.popef.flow import flow, users
from app.analysis.tables.popef_metadata import options, programs
from app.document.document import Update
from app.panels.model.facts import loose, sheet
from app.panels.model.flow_view import FlowView
from app.profile.model import Model
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.chooser import Chooser
from app.widgets.context import Context
from app.widgets.refresh import Refresh
from app.widgets.table.widget import TableWidget

SOURCE = "model"
FACTS, PROGRAMS, OPTIONS = range(3)
MOST_WIDTH = 240
PAGES = ("Overview", "Programs", "Options")
NO_PROGRAMS = "The metadata name no programs."
NO_OPTIONS = "The metadata hold no engine or device options."


class ModelPanel(QWidget):
    """One model at a time: its program flow, and under it its metadata, programs or options. The chooser follows
    the selection, and writes it."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.models = Chooser("Model", self)
        self.models.setMaximumWidth(MOST_WIDTH)
        self.flow = FlowView(context.display, self)
        self.facts = QScrollArea(self)
        self.facts.setAccessibleName("Properties")
        self.facts.setAccessibleName("Facts of the model")
        self.programs = TableWidget(context.display, self)
        self.options = TableWidget(context.display, self)
        self.pages = QStackedWidget(self)
        self.choice = QButtonGroup(self)
        self._build()
        self._refresh = Refresh(self, self._list)
        self.models.activated.connect(self._chosen)
        self.choice.idClicked.connect(self.pages.setCurrentIndex)
        self.flow.chosen.connect(self._program_chosen)
        context.document.updated.connect(self._updated)
        context.document.selection.changed.connect(self._selected)
        context.display.changed.connect(self._refresh.request)
        self._refresh.request()

    def _build(self) -> None:
        self.facts.setWidgetResizable(True)
        self.facts.setFrameShape(QFrame.Shape.NoFrame)
        for page in (self.facts, self.programs, self.options):
            self.pages.addWidget(page)
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 4, 8, 4)
        bar.setSpacing(2)
        for number, text in enumerate(PAGES):
            button = QToolButton(self)
            button.setText(text)
            button.setCheckable(True)
            button.setAutoRaise(True)
            self.choice.addButton(button, number)
            bar.addWidget(button)
        self.choice.button(FACTS).setChecked(True)
        bar.addStretch(1)
        bar.addWidget(self.models)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addWidget(self.flow)
        layout.addWidget(self.pages, 1)

    @property
    def _model(self) -> Model | None:
        profile = self._context.document.profile
        return None if profile is None else profile.model

    @property
    def row(self) -> int:
        """The row of the metadata that is shown; -1 for none."""
        return self.models.currentIndex()

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("model", "blobs"):
            self._refresh.request()

    def _list(self) -> None:
        """The models of the profile; the one that was shown stays where it is still there."""
        model = self._model
        names = [] if model is None else [model.strings.get(one) for one in model.metadata.executable.tolist()]
        texts = [f"{number}: {name or 'without a name'}" for number, name in enumerate(names, 1)]
        self.models.offer(texts, chosen=min(max(self.row, 0), len(texts) - 1))
        self.models.setVisible(len(texts) > 1)
        self._selected(self._context.document.selection.value)
        self._show()

    def _show(self) -> None:
        profile, model = self._context.document.profile, self._model
        if profile is None or model is None or profile.blobs is None:
            return
        row, display = self.row, self._context.display
        for shown in (self.flow, *(self.choice.button(page) for page in (PROGRAMS, OPTIONS))):
            shown.setVisible(row >= 0)
        if row < 0:
            self.pages.setCurrentIndex(FACTS)
            self.facts.setWidget(loose(profile, display, self._selecting))
            return
        self.flow.show_rows(flow(model, row))
        self.facts.setWidget(sheet(profile, row, display, self._selecting))
        for table, widget, empty in (
            (programs(profile, row), self.programs, NO_PROGRAMS),
            (options(profile, row), self.options, NO_OPTIONS),
        ):
            if table is not None:
                widget.set_table(table, empty=empty)
            else:
                widget.stack.show_empty(empty)
        self._mark(self._context.document.selection.value)

    def _chosen(self, row: int) -> None:
        """The person chose a model: its metadata blob becomes the selection."""
        model = self._model
        if model is not None and 0 <= row < len(model.metadata):
            self._show()
            self._select(Selection("blob", (int(model.metadata.blob[row]),), SOURCE))

    def _selected(self, selection: Selection | None) -> None:
        """Shows the model that the selection belongs to."""
        profile, model = self._context.document.profile, self._model
        if profile is None or model is None:
            return
        row = -1 if selection is None else _row_of(profile, model, selection)
        if row >= 0 and row != self.row:
            self.models.setCurrentIndex(row)
            self._show()
        self._mark(selection)

    def _mark(self, selection: Selection | None) -> None:
        """Programs that the selected anchors use."""
        model, used = self._model, set[int]()
        if model is not None and selection is not None and selection.kind == "anchor":
            for anchor in selection.indices:
                if 0 <= anchor < len(model.anchors) and int(model.anchors.metadata[anchor]) == self.row:
                    used.update(model.anchors.programs.row(anchor).tolist())
        self.flow.mark(frozenset(used))

    def _program_chosen(self, program: int) -> None:
        """Anchors that use a program become the selection."""
        model = self._model
        if model is not None:
            found = users(model, self.row, program).tolist()
            self._select(Selection("anchor", tuple(found), SOURCE) if found else None)

    def _selecting(self, blob: int) -> Callable[[], object]:
        return _Select(self._context, blob)

    def _select(self, selection: Selection | None) -> None:
        self._context.document.selection.set(selection)


class _Select:
    """Selects a blob; holds no widget, so that a page of links is in no circle."""

    def __init__(self, context: Context, blob: int) -> None:
        self._context = context
        self._blob = blob

    def __call__(self) -> None:
        self._context.document.selection.set(Selection("blob", (self._blob,), SOURCE))


def _row_of(profile: Profile, model: Model, selection: Selection) -> int:
    """The row of the metadata that a blob, anchor or tensor belongs to; -1 for none."""
    if selection.kind not in ("blob", "anchor", "tensor"):
        return -1
    if selection.kind == "blob":
        rows = (model.metadata.blob == selection.first).nonzero()[0].tolist()
        if rows:
            return int(rows[0])
    anchors = translate(profile, selection, "anchor").tolist()
    return int(model.anchors.metadata[anchors[0]]) if anchors and anchors[0] < len(model.anchors) else -1
