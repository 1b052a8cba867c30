"""A tree of the shown profile, or how it differs from that of the baseline."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.analysis.trees import Hierarchy
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.profile.arrays import I64, among
from app.profile.profile import Profile
from app.widgets.context import Context
from app.widgets.fields import Chooser
from app.widgets.frame import check_of
from app.widgets.tree.widget import TreeWidget

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison
    from app.analysis.compare.trees import TreeDifferences

MakeTree: TypeAlias = Callable[[Profile], Hierarchy | None]
"""Makes the tree of a profile; it runs in a thread: no Qt."""


class ComparedTree(QObject):
    """Shows differences in a tree while there is a baseline: its bar then has the choice of the figure, of the order,
    and whether only changed items are listed. The items of the tree are then rows of both profiles: ``keys_of`` and
    ``items_of`` translate them. Signal ``shown``: the tree shows differences, or others."""

    shown = Signal()

    def __init__(self, context: Context, tree: TreeWidget) -> None:
        super().__init__(tree)
        self._context = context
        self._tree = tree
        self._background = Background(self)
        self._differences: TreeDifferences | None = None
        self._key: object = None
        self._empty = ""
        self.measure = Chooser(tr("Compared figure"), tree, 7)
        self.order = Chooser(tr("Order of the rows"), tree, 5)
        self.order.offer([tr("In program order"), tr("Largest difference first")], [False, True])
        self.changed_only = check_of(
            tr("Changed only"), tr("Show only rows that differ from the baseline, or that only one side has."), on=True
        )
        self._controls = self.measure, self.order, self.changed_only
        for place, control in enumerate(self._controls):
            control.hide()
            tree.bar.insert(place, control, folds=True)
        self.measure.currentIndexChanged.connect(self._arrange)
        self.order.currentIndexChanged.connect(self._arrange)
        self.changed_only.toggled.connect(self._arrange)

    @property
    def active(self) -> bool:
        """Whether the tree shows differences."""
        return self._differences is not None

    def show(self, comparison: Comparison, make: MakeTree, *, empty: str) -> None:
        """Computes the differences of the trees that ``make`` returns, in the background; the former tree stays until
        then. ``empty``: what is said if neither profile has one."""
        self._empty = empty
        self._key = comparison
        self._background.run(Task(lambda token, _: _made(comparison, make, token.check), self._take, self._fail))

    def end(self) -> None:
        """Stops comparing; the caller shows the tree of the profile alone."""
        self._background.cancel()
        if self._differences is not None:
            self._tree.view.show_columns([column.key for column in self._tree.view.items.table.columns])
        self._differences = self._key = None
        self._offer_choices(False)

    def _offer_choices(self, offered: bool) -> None:
        for control in self._controls:
            control.setVisible(offered)

    def keys_of(self, items: I64) -> I64:
        """The items of the shown profile's own tree; without those that only the baseline has."""
        if self._differences is None:
            return items
        keys = self._differences.keys[items]
        return keys[keys >= 0]

    def items_of(self, keys: I64) -> I64:
        """The items of the tree that stand for these items of the shown profile."""
        if self._differences is None:
            return keys
        return np.flatnonzero(among(self._differences.keys, keys[keys >= 0])).astype(np.int64)

    def _take(self, differences: TreeDifferences | None) -> None:
        self._differences = differences
        if differences is None:
            self._tree.set_hierarchy(None, empty=self._empty)
            return
        measures = differences.measures
        keys = [measure.key for measure in measures]
        before = self.measure.currentData()
        chosen = before if before in keys else differences.main
        self.measure.offer([one.title for one in measures], keys, keys.index(chosen) if chosen in keys else 0)
        self._offer_choices(True)
        self._arrange()

    def _arrange(self) -> None:
        differences = self._differences
        if differences is None:
            return
        measure, changed_only = self.measure.currentData() or "", self.changed_only.isChecked()
        made = differences.tree(measure, by_difference=bool(self.order.currentData()), changed_only=changed_only)
        profile = self._context.document.profile
        clock = None if profile is None or profile.target is None else profile.target.clock_hz
        if changed_only and not len(made.roots):
            self._tree.set_hierarchy(None, empty=tr("No row differs."))
        else:
            key = self._context.document.current_id, id(self._key), changed_only, bool(self.order.currentData())
            self._tree.set_hierarchy(made, empty=self._empty, clock_hz=clock, key=key)
            self._tree.view.show_columns(differences.shown(measure))
        self.shown.emit()

    def _fail(self, error: FormatError) -> None:
        self._tree.set_hierarchy(None, empty=tr("The trees cannot be compared: {error}", error=error))


def _made(comparison: Comparison, make: MakeTree, check: Callable[[], None]) -> TreeDifferences | None:
    from app.analysis.compare.trees import tree_differences, without_items  # only with a baseline

    before, after = make(comparison.before), make(comparison.after)
    check()
    if before is None and after is None:
        return None
    if before is None or after is None:
        one = after if after is not None else before
        assert one is not None
        before, after = (without_items(one) if side is None else side for side in (before, after))
    made = tree_differences(comparison, before, after, check)
    made.changed, made.table_of_all, made.main  # noqa: B018 - computed here, in the thread
    return made
