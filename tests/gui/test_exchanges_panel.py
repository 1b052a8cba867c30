"""The panel of exchanges, its sums per tile and its table."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.poplar.exchanges import runs_of_exchanges, transfers
from app.analysis.poplar.graph import exchange_numbers
from app.analysis.tables import by_id
from app.document.document import Document
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.exchanges import panel as panel_module
from app.panels.exchanges.panel import ExchangesPanel
from app.panels.plots import PLOTS
from app.panels.registry import PANELS
from app.profile.poplar import EXCHANGE_KINDS
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TimeRange
from app.views.look import DARK, LIGHT
from app.widgets.abilities import HasPicture
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.tabular import Tabular
from fakes.pictures import plot_shown
from generators import poplar
from oracles.balance_by_hand import balance

SCALE = poplar.Scale(mode="HOST_EXCHANGES", ipus=2, tiles_per_ipu=8, loops=3, external_exchanges=4, host_exchanges=3)


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("exchanges"), SCALE))
    assert profile.measured_cycles is not None
    assert profile.measured_cycles.host_exchanges is not None
    longer = profile.measured_cycles.host_exchanges.astype(np.int64) * 2
    return replace(profile, measured_cycles=replace(profile.measured_cycles, host_exchanges=longer))


class Desk:
    def __init__(self, qtbot: QtBot, profile: Profile) -> None:
        self.document = Document()
        self.panel = ExchangesPanel(Context(self.document, Display()))
        qtbot.addWidget(self.panel)
        self.panel.resize(1000, 360)
        self.panel.show()
        self.document.finish(self.document.add(profile, 1))
        QApplication.processEvents()
        self.panel._refresh.now()

    @property
    def bars(self) -> list[tuple[str, list[int]]]:
        picture = plot_shown(self.panel.plot.canvas)
        return [(name, layer.tolist()) for name, layer in zip(picture.names, picture.layers, strict=True)]


@pytest.fixture
def desk(qtbot: QtBot, profile: Profile) -> Desk:
    return Desk(qtbot, profile)


def matrix_rows(profile: Profile, field: str) -> list[np.ndarray | None]:
    """The row of each exchange, all kinds counted in one."""
    rows: list[np.ndarray | None] = []
    for kind in EXCHANGE_KINDS:
        own = profile.exchanges.of(kind) if profile.exchanges is not None else None
        matrix = None if own is None else getattr(own, field)
        rows += [None if matrix is None else matrix[row].astype(np.int64) for row in range(len(own or ()))]
    return rows


def test_sums_are_those_of_a_loop(profile: Profile) -> None:
    assert profile.exchanges is not None
    chosen = np.array([0, 3, len(profile.exchanges) - 1, 900])
    found, once = transfers(profile, chosen, all_runs=True), transfers(profile, chosen, all_runs=False)
    assert found is not None
    assert once is not None
    assert profile.steps is not None
    numbers = exchange_numbers(profile, profile.steps).tolist()
    for field in ("sent", "received", "code"):
        rows = matrix_rows(profile, field)
        here = [(number, row) for number in chosen[:3].tolist() if (row := rows[number]) is not None]
        assert getattr(found, field).tolist() == sum(row * numbers.count(number) for number, row in here).tolist()
        assert getattr(once, field).tolist() == sum(row for _, row in here).tolist()
    rows = matrix_rows(profile, "cycles")
    internal = sum(rows[number] * numbers.count(number) for number in (0, 3))
    assert found.cycles["internal"].tolist() == internal.tolist()
    assert set(found.cycles) == {"internal", "host"}
    assert found.measured is not None
    assert found.estimated is not None
    assert found.measured.tolist() == (2 * found.estimated).tolist()
    assert transfers(replace(profile, exchanges=None), chosen, all_runs=True) is None
    runs = runs_of_exchanges(profile)
    assert runs is not None
    assert runs.tolist() == [numbers.count(number) for number in range(len(profile.exchanges))]


def test_the_table_of_exchanges(profile: Profile) -> None:
    table = by_id(profile, "exchanges")
    assert table is not None
    cells = {column.key: column for column in table.columns}
    sent, received, cycles = (matrix_rows(profile, field) for field in ("sent", "received", "cycles"))
    assert profile.steps is not None
    assert profile.target is not None
    numbers = exchange_numbers(profile, profile.steps)
    for row in range(table.rows):
        assert sent[row] is not None
        assert cells["sent"].value(row) == int(sent[row].sum())  # type: ignore[union-attr]
        data = balance(sent[row] + received[row])  # type: ignore[operator]
        assert cells["data_balance"].value(row) == (None if data.tile is None else pytest.approx(data.tile))
        assert cells["max_cycles"].value(row) == int(cycles[row].max())  # type: ignore[union-attr]
        steps = np.flatnonzero(numbers == row)
        assert cells["runs"].value(row) == len(steps)
        moved, took = int(profile.steps.data[steps].sum()), int(profile.steps.cycles[steps].sum())
        if moved and took:
            rate = moved / (took / profile.target.clock_hz) / 1e9  # type: ignore[operator]
            assert cells["bandwidth"].value(row) == pytest.approx(rate)
    kinds = [cells["kind"].value(row) for row in range(table.rows)]
    measured = [cells["max_measured"].value(row) for row in range(table.rows)]
    assert [value is None for value in measured] == [kind != "host" for kind in kinds]
    per_tile = by_id(profile, "exchanges-per-tile")
    assert per_tile is not None
    assert per_tile.selects == "tile"


def test_it_is_registered_with_its_plot(qapp: QApplication, profile: Profile) -> None:
    spec = next(spec for spec in PANELS if spec.id == "exchanges")
    assert spec.offered(profile)
    assert not spec.offered(replace(profile, exchanges=None))
    plot = next(plot for plot in PLOTS if plot.id == "exchanges")
    assert plot.offered(profile)
    assert not plot.offered(replace(profile, exchanges=None))
    for theme in (LIGHT, DARK):
        image = QImage(500, 260, QImage.Format.Format_RGB32)
        image.fill(0)
        with QPainter(image) as painter:
            plot.draw(painter, QRectF(0, 0, 500, 260), profile, theme)
        assert image.pixelColor(3, 255).name().upper() in (theme.surface, "#000000")


def test_without_a_selection_the_whole_list_is_added_up(desk: Desk, profile: Profile) -> None:
    assert isinstance(desk.panel, Tabular)
    assert isinstance(desk.panel, HasPicture)
    assert profile.exchanges is not None
    whole = transfers(profile, np.arange(len(profile.exchanges)), all_runs=False)
    assert whole is not None
    assert whole.sent is not None
    assert whole.received is not None
    assert desk.bars == [("Sent", whole.sent.tolist()), ("Received", whole.received.tolist())]
    desk.panel.kind.setCurrentIndex(desk.panel.kind.findData("external"))
    picture = plot_shown(desk.panel.plot.canvas)
    assert picture.title.endswith("all external exchanges")
    assert desk.panel.list.view.items.table.rows == 4
    desk.panel.all_runs.setChecked(True)
    assert desk.panel.plot.canvas.scene is not None
    assert plot_shown(desk.panel.plot.canvas).title.endswith(", all runs")


def test_a_chosen_row_is_the_exchange_it_stands_for(desk: Desk, profile: Profile) -> None:
    assert profile.exchanges is not None
    desk.panel.kind.setCurrentIndex(desk.panel.kind.findData("host"))
    desk.panel.list.view.selectRow(1)
    number = profile.exchanges.first("host") + 1
    assert desk.document.selection.value == Selection("exchange", (number,), "exchanges")
    sent = matrix_rows(profile, "sent")[number]
    assert sent is not None
    assert desk.bars[0] == ("Sent", sent.tolist())
    desk.document.selection.set(Selection("tile", (2,), "tile_memory"))
    assert desk.bars[0] == ("Sent", sent.tolist())
    assert desk.panel.plot.canvas.marks.selected.tolist() == [2]


def test_measured_stand_beside_estimated(desk: Desk, profile: Profile) -> None:
    desk.panel.figure.setCurrentIndex(desk.panel.figure.findData("measured"))
    names = [name for name, _ in desk.bars]
    assert names == ["Estimated", "Measured"]
    assert np.array_equal(np.array(desk.bars[1][1]), 2 * np.array(desk.bars[0][1]))
    picture = plot_shown(desk.panel.plot.canvas)
    assert picture.grouped
    assert "neither the last execution nor the sum" in desk.panel.plot.readout.text
    desk.document.selection.set(Selection("exchange", (0,), "x"))
    assert desk.panel.plot.canvas.scene is None
    assert "no such figure" in desk.panel.plot.readout.text


def test_all_runs_are_those_of_the_range(desk: Desk, profile: Profile) -> None:
    assert profile.exchanges is not None
    assert profile.steps is not None
    desk.panel.all_runs.setChecked(True)
    every = np.array(desk.bars[0][1])
    end = float(profile.steps.cycles_to.max())
    stretch = TimeRange(end / 3, end / 2)
    desk.document.ranges.set(Ranges(time=stretch))
    desk.panel._later.now()
    picture = plot_shown(desk.panel.plot.canvas)
    assert picture.title.endswith("runs in the range")
    inside = (profile.steps.cycles_from < stretch.end) & (profile.steps.cycles_to > stretch.start)
    numbers = exchange_numbers(profile, profile.steps)[inside]
    rows = matrix_rows(profile, "sent")
    expected = np.zeros_like(every)
    for number in numbers[numbers >= 0].tolist():
        row = rows[number]
        assert row is not None
        expected += row
    assert 0 < expected.sum() < every.sum()
    assert desk.bars[0][1] == expected.tolist()
    desk.document.ranges.set(Ranges())
    desk.panel._later.now()
    assert desk.bars[0][1] == every.tolist()


def test_a_sum_that_was_made_is_kept(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def counting(profile: Profile, chosen: np.ndarray, **how: object) -> object:
        made.append(len(chosen))
        return transfers(profile, chosen, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(panel_module, "transfers", counting)
    whole = desk.bars
    for number in (0, 1, 0):
        desk.document.selection.set(Selection("exchange", (number,), "x"))
        desk.document.selection.clear()
    assert made == [1, 1]
    assert desk.bars == whole


def test_the_plot_has_a_table_of_its_own(desk: Desk) -> None:
    desk.panel.as_table.setChecked(True)
    assert desk.panel.plot.pages.currentWidget() is desk.panel.plot.table
    table = desk.panel.plot.shown_table()
    assert table is not None
    assert [column.key for column in table.columns][:4] == ["tile", "ipu", "sent", "received"]
    desk.panel.plot.table.view.selectRow(5)
    assert desk.document.selection.value is not None
    assert desk.document.selection.value.kind == "tile"


def test_cycles_are_stacked_by_kind_and_code_is_of_internal_ones(desk: Desk) -> None:
    desk.panel.figure.setCurrentIndex(desk.panel.figure.findData("cycles"))
    assert [name for name, _ in desk.bars] == ["Internal", "External", "Host"]
    assert "balance" in desk.panel.plot.readout.text
    desk.panel.figure.setCurrentIndex(desk.panel.figure.findData("code"))
    assert [name for name, _ in desk.bars] == ["Code bytes"]


def test_without_exchanges_it_says_why(qtbot: QtBot, profile: Profile) -> None:
    desk = Desk(qtbot, replace(profile, exchanges=None))
    assert "no exchanges" in desk.panel.stack.empty.text
    desk.document.selection.set(Selection("exchange", (0,), "x"))
    assert desk.panel.stack.is_empty
