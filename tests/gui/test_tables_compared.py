"""The panel of tables shows differences while the profile has a baseline."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.analysis.compare.matching import Pair
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.tables import TablesPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.strings import Strings
from app.widgets.context import Context
from app.widgets.refresh import Refresh
from fakes.panels import Opened
from generators import poplar

SCALE = poplar.Scale(mode="IPU_MODEL", estimates=True, compute_sets=4, tiles_per_ipu=4, loops=2)


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    folder: Path = tmp_path_factory.mktemp("pair")
    (made,) = read(FORMAT, poplar.write_pair(folder, SCALE))
    return made


def slower(profile: Profile) -> Profile:
    steps = profile.steps
    assert steps is not None
    cycles = steps.cycles.copy()
    cycles[steps.compute_set == 2] += 100
    return replace(profile, name="slower", steps=replace(steps, cycles=cycles))


def test_a_table_shows_what_differs_from_the_baseline(
    qtbot: QtBot, context: Context, opened: Opened, profile: Profile
) -> None:
    panel = opened(TablesPanel, slower(profile))
    document = context.document
    view = panel.table.view

    def keys() -> list[str]:
        return [column.key for column in view.items.table.columns]

    panel.show_table("steps-by-compute-set")
    assert not panel.shown.changed_only.isVisible()
    assert (keys()[0], view.items.table.rows) == ("compute_set", 4)
    assert document.current_id is not None
    document.baselines.set(document.current_id, document.add(profile, job=2, show=False))
    for refresh in panel.findChildren(Refresh):
        refresh.now()
    qtbot.waitUntil(lambda: keys()[0] == "status")
    assert panel.shown.changed_only.isVisible()
    table = view.items.table
    assert table.rows == 1
    (place,) = (place for place, key in enumerate(keys()) if key == "cycles_difference")
    assert table.columns[place].value(0) == 200
    view.selectRow(0)
    assert document.selection.value == Selection("compute_set", (2,), "tables")
    panel.shown.changed_only.setChecked(False)
    qtbot.waitUntil(lambda: view.items.table.rows == 4)
    document.baselines.end(document.current_id)
    for refresh in panel.findChildren(Refresh):
        refresh.now()
    assert keys()[0] == "compute_set"
    assert not panel.shown.changed_only.isVisible()


def renamed(profile: Profile) -> Profile:
    """Its lowered compute set 1 has another name altogether, and no program says that it is the same."""
    sets = profile.compute_sets
    assert sets is not None
    names = list(sets.names)
    names[1] = "another/name/altogether"
    return replace(profile, name="renamed", programs=None, compute_sets=replace(sets, names=Strings.of(names)))


def test_rows_are_paired_by_hand(qtbot: QtBot, context: Context, opened: Opened, profile: Profile) -> None:
    panel = opened(TablesPanel, renamed(profile))
    document, widget = context.document, panel.table
    panel.show_table("compute-sets")
    assert widget.rows_to_pair() is None
    entry = document.current_id
    assert entry is not None
    document.baselines.set(entry, document.add(profile, job=2, show=False))

    def shown(*found_in: str) -> None:
        for refresh in panel.findChildren(Refresh):
            refresh.now()
        column = widget.view.items.table.columns[0]
        qtbot.waitUntil(lambda: not panel.shown.busy)
        column = widget.view.items.table.columns[0]
        assert sorted(str(column.value(row)) for row in range(widget.view.items.table.rows)) == sorted(found_in)

    qtbot.waitUntil(lambda: widget.view.items.table.columns[0].key == "status")
    shown("only in the baseline", "only in the comparison")
    widget.view.selectRow(0)
    assert (widget.rows_to_pair(), widget.rows_to_unpair()) == (None, None)
    widget.view.selectAll()
    pairs = widget.rows_to_pair()
    assert pairs is not None
    assert [(pair.table, pair.before, pair.after, pair.label_after) for pair in pairs] == [
        ("compute-sets", 1, 1, "Number 1 · another/name/altogether")
    ]
    document.baselines.set_pairs(entry, pairs)
    shown("paired manually")
    widget.view.selectRow(0)
    apart = widget.rows_to_unpair()
    assert apart is not None
    assert [(pair.before, pair.after) for pair in apart] == [(1, None), (None, 1)]
    document.baselines.set_pairs(entry, (*pairs, *apart))
    shown("only in the baseline", "only in the comparison")
    document.baselines.set_pairs(entry, (Pair("compute-sets", 1, 1, "a row", "of other files"),))
    shown("only in the baseline", "only in the comparison")


def test_a_row_of_either_side_is_shown_among_the_differences(
    qtbot: QtBot, context: Context, opened: Opened, profile: Profile
) -> None:
    panel = opened(TablesPanel, renamed(profile))
    document, widget = context.document, panel.table
    entry = document.current_id
    assert entry is not None
    document.baselines.set(entry, document.add(profile, job=2, show=False))
    for refresh in panel.findChildren(Refresh):
        refresh.now()

    def chosen(row: int, *, of_baseline: bool) -> tuple[object, ...]:
        panel.show_table("compute-sets", row, of_baseline=of_baseline)
        qtbot.waitUntil(lambda: not panel.shown.busy and len(widget.selected_rows()) == 1)
        place = int(widget.selected_rows()[0])
        columns = {column.key: column for column in widget.view.items.table.columns}
        name = columns.get("name") or columns["name_after"]
        return columns["status"].value(place), name.value(place)

    assert chosen(1, of_baseline=False) == ("only in the comparison", "another/name/altogether")
    assert profile.compute_sets is not None
    assert chosen(1, of_baseline=True) == ("only in the baseline", profile.compute_sets.names[1])
    assert panel.shown.changed_only.isChecked()
    assert chosen(2, of_baseline=False) == ("in both", profile.compute_sets.names[2])
    assert not panel.shown.changed_only.isChecked()
