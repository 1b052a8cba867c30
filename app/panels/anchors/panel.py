"""The anchors panel."""

from __future__ import annotations

from app.analysis.tables.popef_data import anchors
from app.language import tr
from app.panels.anchors import SPEC
from app.panels.anchors.choice import Choice
from app.panels.anchors.details import AnchorDetails
from app.panels.panel import Panel
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular

NO_ANCHORS = tr("The metadata name no anchors.")


class AnchorsPanel(Panel):
    """A table of anchors by direction and data provider, with details of the selected one below."""

    spec = SPEC
    empty = tr(
        "There are no anchors: the file holds no metadata, only data or an executable. Open the model's file too."
    )

    def build(self) -> None:
        self.choice = Choice(self)
        self.table = TableWidget(self.context.display, self)
        self.details = AnchorDetails(self.context.display, self)
        self._link = LinkedTable(self.context, self.table, self.spec.id)
        self.lay_out(self.choice, (self.table, 1), self.details, home=self.table)
        self.choice.changed.connect(self._list)

    def tabular(self) -> Tabular:
        return self.table

    def fill(self, profile: Profile) -> None:
        if profile.model is not None:
            self.choice.offer(profile.model)
            self._list()

    def _list(self) -> None:
        profile, model = self.profile, None if self.profile is None else self.profile.model
        if profile is None or model is None:
            return
        table = anchors(profile, self.choice.within(model))
        if table is None:
            self.say_empty(NO_ANCHORS if len(model.metadata) else self.empty)
        else:
            self._link.show(table)
        self.follow()

    def show_selection(self, selection: Selection | None, _reveal: bool) -> None:
        """Shows details of the first anchor that the selection refers to directly; none if it is only linked to
        many."""
        model = None if self.profile is None else self.profile.model
        meant: list[int] = []
        if selection is not None and selection.kind in ("anchor", "tensor", "blob"):
            meant = self.shared.items(selection, "anchor").tolist()
            if selection.kind == "blob" and not self.shared.items(selection, "tensor").size:
                meant = []  # metadata or an executable: linked to all anchors, refers to none
        self.details.show_anchor(model, meant[0] if meant else -1)
