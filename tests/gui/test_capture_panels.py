"""The panels of a capture: what is in their pictures, and how these and the tables mark each other."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.analysis.table import Table
from app.analysis.tables import by_id
from app.formats.ascend_capture import FORMAT
from app.formats.collect import read
from app.panels import pages_panel
from app.panels.capture import (
    PLOTS,
    CommunicationPanel,
    DeviceMemoryPanel,
    KernelsPanel,
    TrainingStepsPanel,
)
from app.profile.ascend_capture import MemoryRecord
from app.profile.profile import Profile
from app.profile.strings import Strings
from app.views.capture import MOST_CORNERS, memory_picture, table_cell
from app.views.chart.bars import BarsPicture
from app.views.chart.cells import CellsPicture
from app.views.chart.stacked import Part, StackedPicture, StackedRow, stacked_picture
from app.views.look import Look
from app.widgets.context import Context
from fakes.compared import ComparedPanel
from fakes.panels import Opened
from generators.ascend_capture import Run, write

Make = Callable[[Run], Profile]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    def profile(run: Run) -> Profile:
        (made,) = read(FORMAT, write(tmp_path_factory.mktemp("run"), run))
        return made

    return profile


@pytest.fixture(scope="module")
def ranks(make: Make) -> Profile:
    return make(Run())


def column(profile: Profile, table_id: str, key: str) -> list[object]:
    table = by_id(profile, table_id)
    assert table is not None
    return [table_cell(table, key, row) for row in range(table.rows)]


def test_a_step_is_a_bar_of_its_parts(opened: Opened, ranks: Profile) -> None:
    panel = opened(TrainingStepsPanel, ranks)
    picture = panel.bars.canvas.picture
    assert isinstance(picture, StackedPicture)
    assert [row.name for row in picture.rows] == [
        "Rank 0, step 50",
        "Rank 0, step 51",
        "Rank 1, step 50",
        "Rank 1, step 51",
    ]
    amounts = [list(row.amounts) for row in picture.rows]
    parts = [column(ranks, "steps-of-training", key) for key in ("computing", "exposed", "free")]
    assert amounts == [list(each) for each in zip(*parts, strict=True)]
    whole = column(ranks, "steps-of-training", "stage")
    assert [row.total for row in picture.rows] == pytest.approx(whole)
    assert panel.pages.isHidden()


def test_bars_and_rows_mark_each_other(opened: Opened, ranks: Profile) -> None:
    """Also where a bar stands for rows of several ranks; the other tables are marked by nothing."""
    panel = opened(KernelsPanel, ranks)
    picture = panel.bars.canvas.picture
    assert isinstance(picture, BarsPicture)
    total: dict[object, float] = {}
    types, times = column(ranks, "kernel-types", "type"), column(ranks, "kernel-types", "total")
    for kind, time in zip(types, times, strict=True):
        assert isinstance(time, float)
        total[kind] = total.get(kind, 0.0) + time
    assert {bar.name: bar.amount for bar in picture.bars} == pytest.approx(total)
    assert [bar.amount for bar in picture.bars] == sorted(total.values(), reverse=True)
    panel.bars.canvas.chosen.emit(np.array([0]), False)
    assert {types[row] for row in panel.table.selected_rows().tolist()} == {picture.bars[0].name}
    assert len(panel.table.selected_rows()) == types.count(picture.bars[0].name) == 2
    panel.table.view.mark(np.array([types.index(picture.bars[2].name)]))
    panel.table.view.chosen.emit()
    assert panel.bars.canvas.marks.selected.tolist() == [2]
    panel.pages.setCurrentIndex(1)
    assert panel.shown_id == "kernels"
    assert panel.table.shown_table().rows == len(column(ranks, "kernels", "name"))
    panel.bars.canvas.chosen.emit(np.array([1]), False)
    assert not len(panel.table.selected_rows())


def test_collectives_say_what_is_transit_and_what_waiting(opened: Opened, ranks: Profile) -> None:
    panel = opened(CommunicationPanel, ranks)
    picture = panel.bars.canvas.picture
    assert isinstance(picture, StackedPicture)
    assert [row.total for row in picture.rows] == pytest.approx(column(ranks, "collectives", "duration"))
    assert [panel.pages.tabText(place) for place in range(panel.pages.count())] == ["Collectives", "Delays", "Links"]
    late = [row.tip for row in picture.rows if row.tip]
    assert late
    assert all(tip.startswith("Started after the first rank by: ") for tip in late)


def test_memory_is_that_of_the_chosen_rank(opened: Opened, ranks: Profile) -> None:
    panel = opened(DeviceMemoryPanel, ranks)
    assert not panel.ranks.isHidden()
    first = panel.canvas.picture
    assert first is not None
    assert first.title.endswith("Rank 0")
    assert first.curves[0].name == "PTA allocated"
    record = ranks.memory_record
    assert record is not None
    own = (record.rank == 0) & (record.component == record.strings.tolist().index("PTA"))
    assert first.curves[0].amount.tolist() == record.allocated[own].tolist()
    panel.ranks.setCurrentIndex(1)
    assert panel.canvas.picture is not None
    assert panel.canvas.picture.title.endswith("Rank 1")


def test_a_baseline_stands_below_its_step(qtbot: QtBot, context: Context, make: Make, ranks: Profile) -> None:
    before = make(Run(seed=3))
    own = ComparedPanel(qtbot, context, TrainingStepsPanel, before, ranks)
    own.compare()
    picture = own.panel.bars.canvas.picture
    assert isinstance(picture, StackedPicture)
    assert [row.name for row in picture.rows[:4]] == [
        "Rank 0, step 50",
        "Rank 0, step 50, baseline",
        "Rank 0, step 51",
        "Rank 0, step 51, baseline",
    ]
    assert picture.rows[1].amounts[0] == column(before, "steps-of-training", "computing")[0]


def test_types_of_a_baseline_are_matched_by_type_and_core(
    qtbot: QtBot, context: Context, make: Make, ranks: Profile
) -> None:
    before = make(Run(seed=3))
    own = ComparedPanel(qtbot, context, KernelsPanel, before, ranks)
    own.compare()
    picture = own.panel.bars.canvas.picture
    assert isinstance(picture, BarsPicture)
    kinds, times = column(before, "kernel-types", "type"), column(before, "kernel-types", "total")
    for bar in picture.bars:
        of_type = [time for kind, time in zip(kinds, times, strict=True) if kind == bar.name]
        if of_type:
            assert bar.before == pytest.approx(sum(float(str(time)) for time in of_type))
        else:
            assert bar.before != bar.before


@pytest.mark.parametrize("plot", PLOTS, ids=lambda plot: plot.id)
def test_plots_are_offered_where_their_data_are(plot: object, ranks: Profile) -> None:
    assert plot.offered(ranks)  # type: ignore[attr-defined]
    assert not plot.offered(Profile(name="", origin=ranks.origin))  # type: ignore[attr-defined]


def test_no_peak_of_a_long_record_is_lost() -> None:
    count = 50_000
    amounts = np.full(count, 10, np.int64)
    amounts[31_234] = 99
    time, none = np.arange(count, dtype=np.int64) + 5, np.full(count, -1, np.int64)
    zero = np.zeros(count, np.int32)
    picture = memory_picture(MemoryRecord(Strings.of(["PTA"]), zero, zero, time, amounts, none, none), ["Rank 0"], 0)
    assert picture is not None
    (curve,) = picture.curves
    assert len(curve.time) == MOST_CORNERS
    assert bool((np.diff(curve.time) > 0).all())
    assert curve.amount.max() == 99
    chart = picture.chart(Look())
    assert chart.references[0].at == pytest.approx(31_234e-9)


def test_parts_without_data_are_said_and_not_drawn() -> None:
    nothing = float("nan")
    rows = [StackedRow("a", (1.0, nothing)), StackedRow("b", (nothing, nothing)), StackedRow("c", (0.0, 2.0))]
    chart = stacked_picture("t", "s", (Part("x", "#112233"), Part("y", "")), rows, 700).chart(Look())
    assert chart.heading == "t (the first 3 of 700)"
    assert [(bar.left, bar.right) for bar in chart.bars] == [(0.0, 1.0), (0.0, 2.0)]
    assert [note.text for note in chart.notes] == ["no data"]
    assert chart.columns[0].about == "a\nx: 1.00 s (100.0 %)\ny: –"


def test_a_large_capture_is_drawn_by_a_thread(
    opened: Opened, qtbot: QtBot, ranks: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither picture nor table is made in the window's thread before."""
    monkeypatch.setattr(pages_panel, "SMALL", 0)
    threads: set[str] = set()

    def noted(profile: Profile, table_id: str) -> Table | None:
        threads.add(threading.current_thread().name)
        if threads == {threading.main_thread().name}:
            raise AssertionError(table_id)
        return by_id(profile, table_id)

    monkeypatch.setattr(pages_panel, "by_id", noted)
    panel = opened(TrainingStepsPanel, ranks)
    qtbot.waitUntil(lambda: panel.bars.canvas.picture is not None)
    qtbot.waitUntil(lambda: panel.table.shown_table().rows == 4)
    assert len(threads) == 2


def test_pages_without_rows_are_not_offered(opened: Opened, make: Make) -> None:
    panel = opened(CommunicationPanel, make(Run(ranks=1)))
    assert [panel.pages.tabText(place) for place in range(panel.pages.count())] == ["Collectives", "Links"]


def test_links_are_a_matrix_whose_cells_are_rows(opened: Opened, ranks: Profile) -> None:
    panel = opened(CommunicationPanel, ranks)
    panel.pages.setCurrentIndex(2)
    picture = panel.bars.canvas.picture
    assert isinstance(picture, CellsPicture)
    ends = {(picture.rows[cell.row], picture.columns[cell.column]) for cell in picture.cells}
    sources, targets = column(ranks, "links", "src"), column(ranks, "links", "dst")
    assert ends == {(f"Rank {a}", str(b)) for a, b in zip(sources, targets, strict=True) if a != b}
    rates = column(ranks, "links", "bandwidth")
    panel.bars.canvas.chosen.emit(np.array([0]), False)
    rows = panel.table.selected_rows().tolist()
    assert rows
    assert min(float(str(rates[row])) for row in rows) == picture.cells[0].amount
    chart = picture.chart(Look())
    assert len(chart.bars) == len(chart.columns) == len(picture.cells)


def test_the_late_rank_of_each_step_is_marked(opened: Opened, ranks: Profile) -> None:
    panel = opened(CommunicationPanel, ranks)
    panel.pages.setCurrentIndex(1)
    picture = panel.bars.canvas.picture
    assert isinstance(picture, CellsPicture)
    assert picture.columns == ("50", "51")
    assert [picture.rows[cell.row] for cell in picture.cells if cell.marked] == ["Rank 1", "Rank 1"]
    delays = [float(str(value)) for value in column(ranks, "collective-delays", "delay")]
    assert sum(cell.amount for cell in picture.cells) == pytest.approx(sum(delays))
    panel.pages.setCurrentIndex(0)
    assert isinstance(panel.bars.canvas.picture, StackedPicture)


def test_one_rank_can_be_chosen(opened: Opened, ranks: Profile) -> None:
    panel = opened(TrainingStepsPanel, ranks)
    assert [panel.ranks.itemText(place) for place in range(3)] == ["All ranks", "Rank 0", "Rank 1"]
    panel.ranks.setCurrentIndex(2)
    picture = panel.bars.canvas.picture
    assert isinstance(picture, StackedPicture)
    assert [row.name for row in picture.rows] == ["Step 50", "Step 51"]
    assert panel.table.shown_table().rows == 2
    panel.ranks.setCurrentIndex(0)
    assert panel.table.shown_table().rows == 4
