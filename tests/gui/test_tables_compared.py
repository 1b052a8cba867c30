"""The panel of tables shows differences while the profile has a baseline."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.tables.panel import TablesPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
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
