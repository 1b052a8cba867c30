"""What all panels have from their base: when they are filled, what they follow, what they say when they are empty."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.analysis.table import Coded, Column, Table
from app.document.background import WAITING
from app.document.document import Document
from app.panels.panel import Panel
from app.panels.registry import PANELS
from app.panels.spec import PanelSpec
from app.profile.arrays import I64
from app.profile.ascend import Sources
from app.profile.profile import SECTION_NAMES, Origin, Profile
from app.profile.selection import Ranges, Selection, TileRange
from app.profile.strings import Strings
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.remarks import NotCompared, Portion
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.twin import Twin
from app.window.nearest import nearest_picture, nearest_table

BARE = Profile(name="bare", origin=Origin("any", (Path("/bare"),)))
FILLED = BARE.with_section(Sources(Strings.of(["a.cpp"]), Strings.of(["int main() {}\n"])))
WIDE = 900
SPEC = PanelSpec("toy", "Toy", lambda: Toy, ("sources",), "a file with sources", "A toy.", also=("target",))


class Toy(Panel):
    """Writes down what it is told."""

    spec = SPEC
    empty = "There are no sources."

    def build(self) -> None:
        self.told: list[object] = []
        self.label = QLabel(self)
        self.lay_out(self.label, home=self.label)

    def fill(self, profile: Profile) -> Iterator[object] | None:
        self.told.append("filled")
        self.label.setText(profile.name)
        return None

    def clear(self) -> None:
        self.told.append("cleared")

    def forget(self) -> None:
        self.told.append("forgotten")

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        self.told.append((selection and selection.indices, reveal))

    def show_hover(self, hover: Selection | None) -> None:
        self.told.append(("hover", hover and hover.first))

    def recount(self) -> None:
        self.told.append("recount")


class Slow(Toy):
    """Is filled when its test says so."""

    ready = False

    def fill(self, profile: Profile) -> Iterator[object]:
        while not self.ready:
            yield WAITING
        super().fill(profile)


class Twins(Panel):
    """A picture (a label) and its table, with the last row marked in the picture."""

    spec = SPEC

    def build(self) -> None:
        self.made = 0
        self.twin = Twin(self.context, "toy", QLabel(self), self._table, self._marked)
        self.lay_out(self.twin.box, (self.twin, 1))

    def tabular(self) -> Tabular:
        return self.twin

    def fill(self, _: Profile) -> None:
        self.twin.renew()

    def _table(self, _: Profile) -> Table:
        self.made += 1
        return Table("toy", "Toy", (Column("made", "Made", np.full(3, self.made)),))

    def _marked(self) -> I64:
        return np.array([2], np.int64)


class Compared(Panel):
    """A picture and its table, which lists the sources by size."""

    spec = SPEC
    compares = True

    def build(self) -> None:
        self.fills = 0
        self.twin = Twin(self.context, "toy", QLabel(self), self._table, self._marked, compares=True)
        self.lay_out(self.twin.box, (self.twin, 1))

    def fill(self, _: Profile) -> None:
        self.fills += 1
        self.twin.renew()

    def _table(self, profile: Profile) -> Table:
        assert profile.sources is not None
        sizes = np.array([len(text) for text in profile.sources.texts])
        names = Coded(np.arange(len(sizes)), profile.sources.paths)
        return Table("sources", "Sources", (Column("path", "Path", names), Column("size", "Size", sizes, "B")))

    def _marked(self) -> I64:
        return np.empty(0, np.int64)


class Wide(Panel):
    """Hides a wide control when it is filled."""

    spec = SPEC
    empty = "There are no sources."

    def build(self) -> None:
        self.control = QLabel(self)
        self.control.setMinimumWidth(WIDE)
        self.lay_out(self.control)

    def fill(self, _: Profile) -> None:
        self.control.hide()


@pytest.fixture
def context() -> Iterator[Context]:
    document, display = Document(), Display()
    yield Context(document, display)
    document.deleteLater()
    display.deleteLater()


Make = Callable[[type[Panel]], Any]


@pytest.fixture
def shown(qtbot: QtBot, context: Context) -> Make:
    def make(panel: type[Panel]) -> Any:
        made = panel(context)
        qtbot.addWidget(made)
        made.show()
        settle()
        return made

    return make


def settle() -> None:
    for _ in range(5):
        QApplication.processEvents()


def taken(toy: Toy) -> list[object]:
    told, toy.told = toy.told, []
    return told


@pytest.mark.parametrize("spec", PANELS, ids=lambda spec: spec.id)
def test_every_panel_is_filled_from_the_sections_of_its_spec_and_no_others(
    context: Context, shown: Make, spec: PanelSpec
) -> None:
    fillings: list[str] = []
    panel = spec.load()
    assert isinstance(panel, type)
    assert issubclass(panel, Panel)

    def show(self: Panel) -> object:
        fillings.append("")
        return panel._show(self)

    counted = type("Counted", (panel,), {"_show": show})
    made = shown(counted)
    assert isinstance(made, Panel)
    assert made.spec is spec
    entry = context.document.add(BARE, job=1)
    made._refresh.now()
    assert fillings
    assert set(spec.shown) <= {*SECTION_NAMES, "issues"}
    filled = set()
    for name in (*SECTION_NAMES, "issues"):
        fillings.clear()
        for _ in range(2):
            context.document.grow(entry, BARE, frozenset({name}))
        made._refresh.now()
        assert len(fillings) <= 1
        filled |= {name for _ in fillings}
    assert filled == set(spec.shown or (*SECTION_NAMES, "issues"))


def test_without_its_sections_it_says_why(context: Context, shown: Make) -> None:
    toy = shown(Toy)
    assert toy.stack.is_empty
    entry = context.document.add(BARE, job=1)
    settle()
    assert toy.stack.empty.text == "Reading…"
    assert taken(toy) == ["cleared", "forgotten", "cleared"]
    context.document.finish(entry)
    settle()
    assert toy.stack.empty.text == "There are no sources."
    assert taken(toy) == ["cleared"]
    context.document.grow(entry, FILLED, frozenset({"sources"}))
    settle()
    assert not toy.stack.is_empty
    assert taken(toy) == ["filled", (None, False)]
    context.document.close(entry)
    settle()
    assert toy.stack.is_empty
    assert taken(toy) == ["forgotten", "cleared"]


def test_it_is_told_of_the_selection_as_it_comes_and_again_when_it_is_filled(context: Context, shown: Make) -> None:
    toy, document = shown(Toy), context.document
    entry = document.add(FILLED, job=1)
    settle()
    taken(toy)
    document.selection.set(Selection("line", (3,), "another"))
    toy.shared.select("line", (4,))
    document.grow(entry, FILLED, frozenset({"sources"}))
    settle()
    assert taken(toy) == [((3,), True), ((4,), False), "filled", ((4,), False)]


def test_it_is_told_nothing_while_it_still_shows_the_profile_before(context: Context, shown: Make) -> None:
    toy, document = shown(Toy), context.document
    document.add(FILLED, job=1)
    settle()
    taken(toy)
    document.add(FILLED, job=2)
    document.selection.set(Selection("line", (5,), "another"))
    document.hover.set(Selection("line", (6,), "another"))
    assert taken(toy) == ["forgotten"]
    settle()
    assert taken(toy) == ["filled", ((5,), True)]


def test_nothing_is_chosen_in_what_it_shows_of_the_profile_before(context: Context, shown: Make) -> None:
    """Its items have other numbers in the profile that is current by then."""
    panel, document = shown(Toy), context.document
    document.add(FILLED, 1)
    panel._refresh.now()
    panel.hide()
    document.add(FILLED, 2)
    panel.shared.select("line", [3])
    panel.shared.point("line", 3)
    panel.shared.limit_to_tiles([3])
    assert (document.selection.value, document.hover.value, document.ranges.value) == (None, None, Ranges())
    panel.show()
    panel._refresh.now()
    panel.shared.select("line", [0])
    assert document.selection.value == Selection("line", (0,), "toy")


def test_the_former_profile_does_not_pass_for_the_current_one(qtbot: QtBot, context: Context, shown: Make) -> None:
    slow, document = shown(Slow), context.document
    document.add(FILLED, job=1)
    with qtbot.assertNotEmitted(slow._former.timeout):
        settle()
    slow.ready = True
    qtbot.waitUntil(lambda: "filled" in slow.told)
    slow.ready = False
    slow.label.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    slow.label.setFocus()
    document.add(FILLED, job=2)
    assert not slow.stack.covered
    qtbot.waitUntil(lambda: slow.stack.covered == "Preparing this panel…")
    assert slow.label.hasFocus()
    slow.ready = True
    qtbot.waitUntil(lambda: not slow.stack.covered)


def test_a_filling_that_is_stopped_is_not_covered(qtbot: QtBot, context: Context, shown: Make) -> None:
    slow, document = shown(Slow), context.document
    slow.ready = True
    document.add(FILLED, job=1)
    qtbot.waitUntil(lambda: "filled" in slow.told)
    slow.ready = False
    document.add(FILLED, job=2)
    slow.stop_filling()
    slow.say_empty("Not checked.")
    assert not slow._former.isActive()
    assert not slow.stack.covered


def test_it_does_not_answer_its_own_hover(context: Context, shown: Make) -> None:
    toy, document = shown(Toy), context.document
    document.add(FILLED, job=1)
    settle()
    taken(toy)
    toy.shared.point("line", 1)
    document.hover.set(Selection("line", (2,), "another"))
    toy.shared.point("line", -1)
    assert taken(toy) == [("hover", 2), ("hover", None)]


def test_a_range_counts_again_but_filling_does_not(context: Context, shown: Make) -> None:
    toy, document = shown(Toy), context.document
    entry = document.add(FILLED, job=1)
    settle()
    document.grow(entry, FILLED, frozenset({"target"}))
    settle()
    assert "recount" not in taken(toy)
    document.ranges.set(Ranges(tiles=TileRange((1,))))
    assert taken(toy) == ["recount"]


def test_what_is_shared_is_toggled_and_cleared(context: Context, shown: Make) -> None:
    toy, document = shown(Toy), context.document
    document.add(FILLED, job=1)
    settle()
    chosen = []
    for item, adding in ((1, False), (2, True), (1, True), (2, True), (3, False)):
        toy.shared.toggle("line", item, adding=adding)
        chosen.append(document.selection.value and document.selection.value.indices)
    assert chosen == [(1,), (1, 2), (2,), None, (3,)]
    toy.shared.toggle("tile", 7, adding=True)
    assert document.selection.value == Selection("tile", (7,), "toy")


def test_the_table_twin_is_made_when_it_is_wanted(context: Context, shown: Make) -> None:
    panel = shown(Twins)
    entry = context.document.add(FILLED, job=1)
    settle()
    assert panel.made == 0
    assert panel.selected_rows().tolist() == [2]
    assert panel.shown_rows() is None
    panel.twin.box.setChecked(True)
    assert panel.shown_table().columns[0].values.tolist() == [1, 1, 1]
    assert panel.selected_rows().tolist() == []
    panel.twin.box.setChecked(False)
    panel.twin.box.setChecked(True)
    assert panel.made == 1
    context.document.grow(entry, FILLED, frozenset({"target"}))
    settle()
    assert panel.shown_table().columns[0].values.tolist() == [2, 2, 2]


def test_what_a_panel_stands_for_is_found_from_anywhere_in_it(context: Context, shown: Make) -> None:
    toy, twins = shown(Toy), shown(Twins)
    context.document.add(FILLED, job=1)
    settle()
    assert nearest_table(toy.label) is None
    assert nearest_picture(toy.label) is None
    assert nearest_table(twins.twin.box) is twins.twin
    inside = twins.findChild(TableWidget)
    assert nearest_table(inside) is inside


def test_a_panel_says_how_much_of_its_sections_is_read(context: Context, shown: Make) -> None:
    document, toy = context.document, shown(Toy)
    (line,) = toy.findChildren(Portion)
    sources = Sources(Strings.of(["a.cpp"]), Strings.of(["int\n"]))
    part = BARE.with_section(sources, "the first 7 lines")
    entry = document.add(part, job=1)
    settle()
    assert line.isVisible()
    assert line.text() == "Reading… Shown so far: the first 7 lines"
    document.grow(entry, FILLED, frozenset({"sources"}))
    settle()
    assert not line.isVisible()
    document.grow(entry, part, frozenset({"sources"}))
    document.finish(entry)
    settle()
    assert line.isVisible()
    assert line.text() == "Reading was not completed. Shown: the first 7 lines"
    document.close(entry)
    settle()
    assert not line.isVisible()


def test_items_of_a_new_section_are_not_marked_in_what_a_preview_showed(context: Context, shown: Make) -> None:
    document, toy = context.document, shown(Toy)
    entry = document.add(FILLED, job=1)
    settle()
    toy.told.clear()
    document.grow(entry, BARE.with_section(Sources(Strings.of(["b.cpp"]), Strings.of([""]))), frozenset({"sources"}))
    document.selection.set(Selection("tile", (3,)))
    assert toy.told == []
    settle()
    assert "filled" in toy.told
    assert ((3,), True) in toy.told


def test_controls_claim_no_room_before_they_are_shown(context: Context, shown: Make) -> None:
    entry = context.document.add(FILLED, job=1)
    behind = Wide(context)
    assert behind.minimumSizeHint().width() < WIDE
    behind.deleteLater()
    panel = shown(Wide)
    assert panel.control.isHidden()
    assert panel.minimumSizeHint().width() < WIDE
    panel.control.show()
    assert panel.minimumSizeHint().width() >= WIDE
    context.document.close(entry)
    settle()
    assert panel.stack.is_empty
    assert panel.minimumSizeHint().width() < WIDE


def test_the_table_twin_of_a_panel_that_compares_shows_differences(qtbot: QtBot, context: Context, shown: Make) -> None:
    panel = shown(Compared)
    document = context.document
    longer = FILLED.with_section(Sources(Strings.of(["a.cpp"]), Strings.of(["int main() { return 0; }\n"])))
    document.add(longer, job=1)
    baseline = document.add(FILLED, job=2, show=False)
    panel.twin.box.setChecked(True)
    settle()
    fills, alone = panel.fills, panel.twin.shown_table()
    assert alone is not None
    assert [column.key for column in alone.columns] == ["path", "size"]
    assert document.current_id is not None
    document.baselines.set(document.current_id, baseline)
    settle()
    assert panel.fills == fills + 1
    qtbot.waitUntil(lambda: panel.twin.table.shown_table().columns[0].key == "status")
    table = panel.twin.table.shown_table()
    assert {column.key: column.value(0) for column in table.columns if column.key.startswith("size_")} == {
        "size_before": 14,
        "size_after": 25,
        "size_difference": 11,
        "size_percent": pytest.approx(100 * 11 / 14),
    }
    assert panel.twin.table.note.text() == (
        "Size, all rows together: 14 B in the baseline, 25 B in the comparison, +11 B."
    )
    panel.twin.box.setChecked(False)
    exported = panel.twin.shown_table()
    assert exported is not None
    assert [column.key for column in exported.columns] == [column.key for column in table.columns]
    document.baselines.end(document.current_id)
    settle()
    ended = panel.twin.shown_table()
    assert ended is not None
    assert [column.key for column in ended.columns] == ["path", "size"]


def test_a_panel_that_does_not_compare_says_so_while_there_is_a_baseline(context: Context, shown: Make) -> None:
    plain, compared = shown(Toy), shown(Compared)
    document = context.document
    document.add(FILLED, job=1)
    assert document.current_id is not None
    line = plain.findChild(NotCompared)
    assert line.isHidden()
    assert compared.findChild(NotCompared) is None
    document.baselines.set(document.current_id, document.add(BARE, job=2, show=False))
    settle()
    assert not line.isHidden()
    assert line.text() == "Only bare: this panel does not compare."
    document.baselines.end(document.current_id)
    assert line.isHidden()
