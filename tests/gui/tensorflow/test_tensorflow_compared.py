"""Two logs, and two maps of tensors: what differs is shown, a map against itself differs nowhere, ending restores."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.formats.collect import read
from app.formats.tensor_map import FORMAT as MAP
from app.formats.tensorflow_events import FORMAT as EVENTS
from app.panels.host_events import HostEventsPanel
from app.panels.tensor_map.panel import TensorMapPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.look import Look
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.table.widget import TableWidget
from fakes.compared_panels import caught_up, cells, end_comparison
from generators import tensor_map
from generators import tensorflow_events as log
from generators.reading import profile_of
from generators.tensor_map import Tensor

BEFORE = {
    "entry": [
        Tensor("weights.1", [(0, 10), (1, 10)], (20,), "float"),
        Tensor("bias.2", [(0, 4)], (4,), "float"),
        Tensor("gone.3", [(2, 8)], (8,), "half"),
    ],
    "region": [Tensor("bias.2", [(1, 6)], (6,), "float")],
}
AFTER = {
    "entry": [
        Tensor("bias.2", [(0, 4)], (4,), "float"),
        Tensor("weights.1", [(0, 12), (1, 5), (3, 3)], (20,), "float"),
        Tensor("new.4", [(1, 2)], (2,), "float"),
    ],
    "region": [Tensor("bias.2", [(1, 6)], (6,), "float")],
}


def mapped(computations: dict[str, list[Tensor]]) -> Profile:
    return profile_of(MAP, tensor_map.tensor_map(computations).encode(), "m.tensor_map.json")


def logged(folder: Path, executions: int) -> Profile:
    folder.mkdir()
    path = folder / "events.out.tfevents.1.host"
    path.write_bytes(log.log([log.run(executions=executions)]))
    return read(EVENTS, [path])[0]


def shown(qtbot: QtBot, kind: Callable[[Context], Any], after: Profile, before: Profile) -> tuple[Any, Document]:
    document, display = Document(), Display()
    entry = document.add(after, job=1)
    document.finish(entry)
    panel = kind(Context(document, display))
    document.setParent(panel)
    display.setParent(panel)
    qtbot.addWidget(panel)
    panel.resize(900, 600)
    with qtbot.waitExposed(panel):
        panel.show()
    document.baselines.set(entry, document.add(before, job=2, show=False))
    caught_up(panel)
    return panel, document


def compares(qtbot: QtBot, table: TableWidget) -> None:
    qtbot.waitUntil(lambda: [column.key for column in table.view.items.table.columns[:1]] == ["status"])


def test_events_and_modules_of_two_logs(qtbot: QtBot, tmp_path: Path) -> None:
    before, after = logged(tmp_path / "before", 2), logged(tmp_path / "after", 5)
    panel, document = shown(qtbot, HostEventsPanel, after, before)
    compares(qtbot, panel.table)
    new = [kind for status, kind in cells(panel.table, "status", "type") if status == "only in the comparison"]
    assert after.host_events is not None
    assert before.host_events is not None
    assert len(new) == len(after.host_events) - len(before.host_events)
    assert "EXECUTE" in new
    panel.pages.button(2).click()
    compares(qtbot, panel.table)
    qtbot.waitUntil(
        lambda: any(column.key == "executions_difference" for column in panel.table.view.items.table.columns)
    )
    assert cells(panel.table, "executions_difference") == [(3,)]
    end_comparison(document, panel)
    assert [column.key for column in panel.table.view.items.table.columns][:1] != ["status"]
    panel.pages.button(0).click()
    assert panel.table.view.items.table.rows == len(after.host_events)


def test_a_log_against_itself_differs_nowhere(qtbot: QtBot, tmp_path: Path) -> None:
    panel, _ = shown(qtbot, HostEventsPanel, logged(tmp_path / "a", 3), logged(tmp_path / "b", 3))
    for page in (0, 2):
        panel.pages.button(page).click()
        compares(qtbot, panel.table)
        assert not panel.table.view.items.table.rows


def amounts(panel: TensorMapPanel) -> dict[str, list[float | None]]:
    """Bytes of each tensor on each tile, as shown; None for no data."""
    picture = panel.heat.scene.picture if panel.heat.scene is not None else None
    assert picture is not None
    return {
        f"{row}: {picture.row_name(row)}": [picture.amount(row, column) for column in range(picture.columns)]
        for row in range(picture.rows)
    }


def test_both_maps_and_their_difference(qtbot: QtBot) -> None:
    panel, document = shown(qtbot, TensorMapPanel, mapped(AFTER), mapped(BEFORE))
    panel.largest.setChecked(False)
    by_name = {name.partition(": ")[2]: values for name, values in amounts(panel).items()}
    assert by_name["weights.1"] == [8, -20, 0, None], "tile 3 is on one side only"
    assert by_name["new.4 (only in the comparison)"] == [0, 8, 0, None]
    assert by_name["gone.3 (only in the baseline)"] == [0, 0, -16, None]
    assert panel.heat.scene is not None
    names = [name.partition(": ")[2] for name in amounts(panel)]
    panel.heat.chosen.emit(np.array([names.index("weights.1")]), False)
    assert document.selection.value == Selection("mapped_tensor", (1,), "tensor_map")
    assert panel.bars.scene is not None
    bars = panel.bars.scene.picture
    assert bars.signed
    assert bars.totals[:3].tolist() == [8, -20, 0]
    assert np.isnan(bars.totals[3])
    assert "tile 0" in bars.describe(0, 1, 0, Look())
    panel.sides.setCurrentIndex(1)
    panel.sides.activated.emit(1)
    bars = panel.bars.scene.picture
    assert bars.totals.tolist() == [48, 20, 0, 12]
    assert bars.sides is not None
    assert bars.sides.before[:3].tolist() == [40, 40, 0]
    panel.heat.chosen.emit(np.array([names.index("gone.3 (only in the baseline)")]), False)
    assert document.selection.value == Selection("mapped_tensor", (1,), "tensor_map"), "of the baseline: not selected"
    panel.as_table.setChecked(True)
    compares(qtbot, panel.table)
    assert set(cells(panel.table, "status", "instruction")) == {
        ("in both", "weights.1"),
        ("only in the comparison", "new.4"),
        ("only in the baseline", "gone.3"),
    }
    panel.as_table.setChecked(False)
    document.selection.set(Selection("tile", (1,), "test"))
    compares(qtbot, panel.on_tiles)
    assert set(cells(panel.on_tiles, "instruction", "bytes_difference")) == {("weights.1", -20), ("new.4", 8)}
    end_comparison(document, panel)
    assert not panel.sides.isVisible()
    assert list(amounts(panel)) == ["0: bias.2", "1: weights.1", "2: new.4", "3: bias.2"]


@pytest.mark.parametrize("shown_side", ["difference"])
def test_a_map_against_itself_is_zero(qtbot: QtBot, shown_side: str) -> None:
    panel, _ = shown(qtbot, TensorMapPanel, mapped(AFTER), mapped(AFTER))
    assert panel.sides.currentData() == shown_side
    assert not any(any(values) for values in amounts(panel).values())
    assert panel.bars.scene is not None
    assert not panel.bars.scene.picture.totals.any()
    panel.field.setText("new")
    assert [name.partition(": ")[2] for name in amounts(panel)] == ["new.4"]
