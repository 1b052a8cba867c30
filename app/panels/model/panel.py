"""The model panel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
from msgspec.structs import replace
from PySide6.QtWidgets import QButtonGroup, QFrame, QScrollArea, QToolButton

from app.analysis.popef.flow import Row, compared_flow, counterpart, flow, users
from app.analysis.table import Table
from app.analysis.tables.popef import fields, options, programs
from app.language import tr
from app.panels.model.flow_view import FlowView
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.profile.popef import Blobs, Model
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.look import Look
from app.views.model.baseline import Baseline
from app.views.pages.document import Line
from app.views.units import format_value
from app.widgets.controls import Controls
from app.widgets.display import Display
from app.widgets.fields import Chooser
from app.widgets.frame import pages_of
from app.widgets.sheet import Sheet
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget

MakeOne: TypeAlias = Callable[[Profile, int | None], Table | None]


def _of_model(make: MakeOne, after: Model, row: int, profile: Profile) -> Table | None:
    """The table of one model of ``profile``: of ``row`` of the model after, or of the one that belongs to it. Its rows
    select nothing."""
    model = profile.model
    if model is None:
        return None
    own = row if model is after else counterpart(model, after, row)
    table = make(profile, own) if own >= 0 else None
    return None if table is None else replace(table, selects=None)


FACTS, PROGRAMS, OPTIONS = range(3)
MOST_WIDTH = 240
PAGES = (tr("Overview"), tr("Programs"), tr("Options"))
NO_PROGRAMS = tr("The metadata name no programs.")
NO_OPTIONS = tr("The metadata contain no engine or device options.")


class ModelPanel(Panel):
    """One model at a time: its program flow, and its metadata, programs or options below. The chooser follows the
    selection and sets it. With a baseline, each shows how the model differs from the one that belongs to it there."""

    spec = SPECS["model"]
    compares = True

    def build(self) -> None:
        display = self.context.display
        self.models = Chooser(tr("Model"), self)
        self.models.setMaximumWidth(MOST_WIDTH)
        self.flow = FlowView(display, self)
        self.facts = QScrollArea(self)
        self.facts.setAccessibleName(tr("Facts of the model"))
        self.facts.setWidgetResizable(True)
        self.facts.setFrameShape(QFrame.Shape.NoFrame)
        self.programs = TableWidget(display, self)
        self.options = TableWidget(display, self)
        self._shown_programs = ProfileTable(self.context, self.programs, self.spec.id)
        self._shown_options = ProfileTable(self.context, self.options, self.spec.id)
        self.pages = pages_of(self, (self.facts, self.programs, self.options))
        self.choice = QButtonGroup(self)
        buttons = [self._button(number) for number in range(len(PAGES))]
        tables = (self.programs.bar, 3), (self.options.bar, 3)
        controls = Controls(self, *buttons, *tables, 1, self.models, folds=buttons[::-1], spacing=4)
        self.choice.button(FACTS).setChecked(True)
        self.lay_out(self.flow, (self.pages, 1), controls=controls)
        self.models.activated.connect(self._chosen)
        self.choice.idClicked.connect(self.pages.setCurrentIndex)
        self.flow.chosen.connect(self._program_chosen)

    def _button(self, number: int) -> QToolButton:
        button = QToolButton(self)
        button.setText(PAGES[number])
        button.setCheckable(True)
        button.setAutoRaise(True)
        self.choice.addButton(button, number)
        return button

    def show_look(self, _: Look) -> None:
        self.refill()

    @property
    def _model(self) -> Model | None:
        return None if self.profile is None else self.profile.model

    @property
    def row(self) -> int:
        """The shown row of the metadata; -1 for none."""
        return self.models.currentIndex()

    def clear(self) -> None:
        """Forgets the models that the tables were made of."""
        for shown in (self._shown_programs, self._shown_options):
            shown.clear()

    def fill(self, profile: Profile) -> None:
        """Fills the chooser with the profile's models; the current one stays if it is still there."""
        model = profile.model
        names = [] if model is None else [model.strings.get(one) for one in model.metadata.executable.tolist()]
        texts = [f"{number}: {name or tr('without a name')}" for number, name in enumerate(names, 1)]
        self.models.offer(texts, chosen=min(max(self.row, 0), len(texts) - 1))
        self.models.setVisible(len(texts) > 1)
        self._draw()

    def _draw(self) -> None:
        profile, model = self.profile, self._model
        if profile is None or model is None or profile.blobs is None:
            return
        row, display = self.row, self.context.display
        for part in (self.flow, *(self.choice.button(page) for page in (PROGRAMS, OPTIONS))):
            part.setVisible(row >= 0)
        if row < 0:
            self.pages.setCurrentIndex(FACTS)
            self.facts.setWidget(loose(profile, display, self._selecting))
            return
        comparison = self.comparison
        before = None if comparison is None else Baseline.of(comparison.before, model, row)
        self.flow.show_rows(self._flow(model, row, before))
        self.facts.setWidget(sheet(profile, row, display, self._selecting, before))
        for make, shown, widget, empty in (
            (programs, self._shown_programs, self.programs, NO_PROGRAMS),
            (options, self._shown_options, self.options, NO_OPTIONS),
        ):
            of_model = partial(_of_model, make, model, row)
            table = of_model(profile)
            if table is None and comparison is None:
                shown.clear()
                widget.stack.show_empty(empty)
            else:
                shown.show(of_model, table=table, empty=empty)
        self._mark(self.shared.selection)

    def _flow(self, model: Model, row: int, before: Baseline | None) -> tuple[Row, ...]:
        after = flow(model, row)
        if before is None or before.model is None or before.row < 0:
            return after
        return compared_flow(flow(before.model, before.row), after)

    def _chosen(self, row: int) -> None:
        """Selects the metadata blob of the model that the user chose."""
        model = self._model
        if model is not None and 0 <= row < len(model.metadata):
            self._draw()
            self.shared.select("blob", (int(model.metadata.blob[row]),))

    def show_selection(self, selection: Selection | None, _reveal: bool) -> None:
        """Shows the model that the selection belongs to."""
        model = self._model
        row = -1 if model is None or selection is None else self._row_of(model, selection)
        if row >= 0 and row != self.row:
            self.models.setCurrentIndex(row)
            self._draw()
        self._mark(selection)

    def _row_of(self, model: Model, selection: Selection) -> int:
        """The row of the metadata that the selected blob, anchor or tensor belongs to; -1 for none."""
        if selection.kind not in ("blob", "anchor", "tensor"):
            return -1
        if selection.kind == "blob":
            rows = (model.metadata.blob == selection.first).nonzero()[0].tolist()
            if rows:
                return int(rows[0])
        anchors = self.shared.items(selection, "anchor").tolist()
        return int(model.anchors.metadata[anchors[0]]) if anchors and anchors[0] < len(model.anchors) else -1

    def _mark(self, selection: Selection | None) -> None:
        """Marks the programs that the selected anchors use."""
        model, used = self._model, set[int]()
        if model is not None and selection is not None and selection.kind == "anchor":
            for anchor in selection.indices:
                if 0 <= anchor < len(model.anchors) and int(model.anchors.metadata[anchor]) == self.row:
                    used.update(model.anchors.programs.row(anchor).tolist())
        self.flow.mark(frozenset(used))

    def _program_chosen(self, program: int) -> None:
        """Selects the anchors that use a program."""
        model = self._model
        if model is not None:
            self.shared.select("anchor", users(model, self.row, program).tolist())

    def _selecting(self, blob: int) -> Callable[[], object]:
        """An action that selects a blob; it refers to no widget, so that a page of links is in no reference cycle."""
        return partial(self.shared.select, "blob", (blob,))


HELP: dict[str, str] = {
    tr("Runs"): tr(
        "IsInference in the metadata. Older writers and other frameworks leave it unset, which means training."
    ),
    tr("Device iterations"): tr(
        "How often a call repeats the main program on the device. Older writers do not state it."
    ),
    tr("Pod"): tr("IsPOD in the metadata: made for an IPU-POD. Older writers leave it unset."),
    tr("Seed handle"): tr("The handle through which a runtime passes the random seed; empty if there is none."),
    tr("Processes"): tr("Number of processes that run the model."),
}
MOST_LINKS = 50
Select = Callable[[int], Callable[[], object]]
"""Returns an action that selects a blob."""


def sheet(profile: Profile, row: int, display: Display, select: Select, before: Baseline | None = None) -> Sheet:
    """The page of one model; ``before``: the baseline, of which it says what differs."""
    model, blobs = profile.model, profile.blobs
    assert model is not None
    assert blobs is not None
    page = Sheet(display)
    name = model.strings.get(int(model.metadata.executable[row]))
    page.title(tr("Executable {name}", name=name) if name else tr("The metadata name no executable"))
    _executable(page, model, blobs, name, display, select)
    page.heading(tr("Metadata"))
    values = (pair for pair in fields(profile, model, row) if not pair[0].startswith("Program flow"))
    known = {} if before is None else before.fields()
    page.facts(Line(key, _with(value or tr("none"), known.get(key)), HELP.get(key, "")) for key, value in values)
    page.link(tr("Metadata blob"), select(int(model.metadata.blob[row])), tr("Select it in all panels"))
    described = {model.strings.get(one) for one in model.metadata.executable.tolist()}
    if before is not None:
        page.heading(tr("Compared with the baseline"))
        for text in before.changes(model):
            page.say(text)
    others = [row for row, one in enumerate(model.executables.name.tolist()) if model.strings.get(one) not in described]
    if others:
        page.heading(tr("Executables without metadata"))
        _others(page, model, others, select)
    page.end()
    return page


def _with(value: str, before: str | None) -> str:
    """The value, and that of the baseline if it is another one."""
    if before is None or before == value:
        return value
    return tr("{value} (baseline: {before})", value=value, before=before)


def _executable(page: Sheet, model: Model, blobs: Blobs, name: str, display: Display, select: Select) -> None:
    """Adds the named executable and the opaque data with the same name."""
    own = model.executables
    named = np.array([model.strings.get(one) == name for one in own.name.tolist()], np.bool_)
    for number in np.flatnonzero(named)[:MOST_LINKS].tolist():
        taken = format_value(int(blobs.payload_size[own.blob[number]]), "B", display.look)
        if own.compressed[number] and own.uncompressed_size[number] >= 0:
            taken += tr(
                ", {uncompressed_size} uncompressed",
                uncompressed_size=format_value(int(own.uncompressed_size[number]), "B", display.look),
            )
        page.link(
            tr("Executable blob, {taken}", taken=taken), select(int(own.blob[number])), tr("Select it in all panels")
        )
    if not named.any():
        page.say(tr("These files do not contain it. Open the file that does together with this one."), "warning")
    extending = [row for row, one in enumerate(model.opaques.executable.tolist()) if model.strings.get(one) == name]
    for number in extending[:MOST_LINKS]:
        opaque = model.strings.get(int(model.opaques.name[number])) or tr("without a name")
        taken = format_value(int(blobs.payload_size[model.opaques.blob[number]]), "B", display.look)
        page.link(
            tr("Opaque data of {opaque}, {taken}", opaque=opaque, taken=taken), select(int(model.opaques.blob[number]))
        )


def loose(profile: Profile, display: Display, select: Select) -> Sheet:
    """The page of files without metadata."""
    model, blobs = profile.model, profile.blobs
    assert model is not None
    assert blobs is not None
    page = Sheet(display)
    page.title(tr("No metadata"))
    page.say(
        tr(
            "These files contain no metadata, which state how to run an executable. Open the file "
            "with the metadata, too."
        )
    )
    _others(page, model, range(len(model.executables)), select)
    page.end()
    return page


def _others(page: Sheet, model: Model, rows: Sequence[int], select: Select) -> None:
    """Adds executables by name, at most MOST_LINKS."""
    for row in rows[:MOST_LINKS]:
        name = model.strings.get(int(model.executables.name[row])) or tr("without a name")
        page.link(
            tr("Executable {name}", name=name), select(int(model.executables.blob[row])), tr("Select it in all panels")
        )
    if len(rows) > MOST_LINKS:
        page.say(tr("and {count:,} more; see the table of blobs", count=len(rows) - MOST_LINKS))
