"""The scaling panel: what is typed and what the run says, pictures, what-if, measurements, two profiles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from app.analysis.table import Table
from app.document.document import Document
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.registry import SPECS
from app.panels.scaling import work
from app.panels.scaling.panel import (
    CHECKLIST,
    COMPARE,
    FIGURES,
    MEASURED,
    TABLE,
    THROUGHPUT,
    TIME,
    ScalingPanel,
)
from app.panels.scaling.pictures import Pictures
from app.panels.scaling.plots import PLOTS
from app.profile.file_state import FileState
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.chart.model import Chart
from app.views.look import DARK, LIGHT
from app.views.scaling import charts
from app.views.scaling.charts import Bars, Curves
from app.views.scaling.study import TypedInputs, restored, saved_state
from app.widgets.abilities import HasPicture
from app.widgets.chart.scene import ChartScene
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.tabular import Tabular
from generators.poplar_replicas import CATEGORIES, Replicas, write

Value = TypeVar("Value")
LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
near = pytest.approx


def made(folder: Path, name: str, **scale: object) -> Profile:
    return read(FORMAT, [write(folder, Replicas(**scale), f"{name}.json")])[0]  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    return made(tmp_path_factory.mktemp("two"), "two")


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    more = {**CATEGORIES, "globalExchangeCode": 1020}
    return made(tmp_path_factory.mktemp("four"), "four", replicas=4, reduce=800, categories=more)


@pytest.fixture(scope="module")
def unfed(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    return made(tmp_path_factory.mktemp("unfed"), "unfed", fed=False)


def there(value: Value | None) -> Value:
    assert value is not None
    return value


class Room:
    def __init__(self, qtbot: QtBot) -> None:
        self.document = Document()
        self.display = Display()
        self.panel = ScalingPanel(Context(self.document, self.display))
        qtbot.addWidget(self.panel)
        self.panel.resize(1100, 460)
        self.panel.show()
        self.settle()

    def open(self, profile: Profile, *, show: bool = True) -> int:
        entry = self.document.add(profile, 1, show=show)
        self.document.finish(entry)
        self.settle()
        return entry

    def settle(self) -> None:
        QApplication.processEvents()
        self.panel._refresh.now()

    def turn(self, page: int) -> None:
        self.panel.tabs.setCurrentIndex(page)

    def type(self, key: str, text: str) -> None:
        edit = self.panel.form.rows[key].edit
        edit.setFocus()
        edit.setText(text)
        QTest.keyClick(edit, Qt.Key.Key_Return)

    def empty(self) -> bool:
        """Whether the throughput page asks for something."""
        return self.panel.curves_page.is_empty

    @property
    def curves(self) -> Curves:
        return there(charts.throughput(there(self.panel.study)))

    @property
    def bars(self) -> Bars:
        return there(charts.time(there(self.panel.study), shares=self.panel.shares.isChecked()))

    def drawn(self, pictures: Pictures, place: int = 0) -> Chart:
        """What a canvas shows."""
        scene = pictures.canvases[place].scene
        assert isinstance(scene, ChartScene)
        return scene.chart

    def line(self, role: str) -> dict[int, float]:
        return dict(next(line for line in self.curves.lines if line.role == role).places)


@pytest.fixture
def room(qtbot: QtBot) -> Iterator[Room]:
    made_room = Room(qtbot)
    yield made_room
    made_room.document.deleteLater()
    made_room.display.deleteLater()


# -- inputs ---------------------------------------------------------------------------------------------------


def test_without_a_profile_numbers_are_asked_for(room: Room) -> None:
    assert SPECS["scaling"].alone
    assert room.empty()
    assert "time of a micro-batch is needed" in room.panel.curves_page.empty.text
    assert room.panel.form.rows["micro_batch_seconds"].edit.placeholderText() == "needed"
    room.panel.curves_page.empty._button.click()
    assert not room.empty()
    assert room.line("model")[16] == near(14_222.2, abs=0.05)
    assert room.line("ideal")[16] == near(16_000)
    assert room.panel.readout.text.startswith("16 replicas: 14,222 samples/s · efficiency 88.9 %")


def test_typed_values_count_and_go_away_again(room: Room) -> None:
    room.panel.desk.fill_example()
    room.type("accumulation", "32")
    assert room.line("model")[16] == near(15_058.8, abs=0.05)
    assert room.panel.form.rows["accumulation"].source.text() == "typed"
    room.type("accumulation", "")
    assert room.panel.form.rows["accumulation"].edit.placeholderText() == "1"
    room.type("accumulation", "three")
    row = room.panel.form.rows["accumulation"]
    assert row.source.text() == "✕"
    assert "three&#x27; is not a valid number" in row.edit.toolTip()
    room.type("replicas", "0")
    assert room.panel.curves_page.empty.text == "Replicas: 0 is less than 1."


def test_a_choice_can_be_taken_back(room: Room) -> None:
    room.panel.desk.fill_example()
    check = room.panel.form.rows["ring"].check
    assert check.isChecked()
    check.click()
    assert room.line("model")[64] == near(64 * 16 * 16 / 0.288)
    assert room.panel.desk.inputs.texts["ring"] == "no"
    check.click()
    assert "ring" not in room.panel.desk.inputs.texts


def test_a_run_fills_the_inputs_and_shows_its_steps(room: Room, two: Profile) -> None:
    room.open(two)
    rows = room.panel.form.rows
    assert rows["micro_batch_seconds"].edit.placeholderText() == "3.20 ms"
    assert rows["accumulation"].source.text() == "profile"
    assert rows["allreduce_seconds"].source.text() == "2 steps"
    assert "Steps whose names contain AllReduce" in rows["allreduce_seconds"].source.toolTip()
    QTest.mouseClick(rows["allreduce_seconds"].source, LEFT)
    chosen = room.document.selection.value
    assert chosen is not None
    assert (chosen.kind, chosen.source, len(chosen.indices)) == ("step", "scaling", 2)
    assert two.steps is not None
    names = {two.steps.strings.get(int(two.steps.name[step])) for step in chosen.indices}
    assert names == {"gradients/AllReduce_7/ReduceScatter/step", "gradients/AllReduce_7/AllGather/step"}
    room.type("allreduce_seconds", "2 ms")
    assert rows["allreduce_seconds"].source.text() == "typed"
    assert "Value in the profile: 1.00 ms" in rows["allreduce_seconds"].edit.toolTip()


def test_a_loop_that_cannot_be_told_is_asked_for(room: Room, unfed: Profile) -> None:
    room.open(unfed)
    assert "choose the one over micro-batches" in room.panel.curves_page.empty.text
    loops = room.panel.form.loops
    assert loops.currentText() == "Choose the loop"
    place = next(n for n in range(loops.count()) if loops.itemText(n).startswith("accumulate"))
    loops.setCurrentIndex(place)
    loops.activated.emit(place)
    assert not room.empty()
    assert room.panel.form.rows["accumulation"].edit.placeholderText() == "4"


def test_an_unknown_allreduce_is_said_and_not_guessed(room: Room, two: Profile) -> None:
    assert two.steps is not None
    assert two.programs is not None
    assert two.compute_sets is not None
    nameless = replace(two.steps, name=two.steps.name * 0 - 1)
    programs = replace(two.programs, name=two.programs.name * 0 - 1)
    room.open(replace(two, steps=nameless, programs=programs))
    assert room.curves.title == "Samples/s over replicas, no allreduce (time unknown)"
    assert [line.name for line in room.curves.lines] == ["Ideal", "No allreduce"]
    assert [series.name for series in room.drawn(room.panel.curves, 1).series] == ["Ideal"]
    assert room.panel.form.rows["allreduce_seconds"].source.text() == "▲"
    room.type("gradient_bytes", "100 MB")
    assert room.curves.title == "Samples/s over replicas"


def test_what_was_typed_stays_with_its_profile(room: Room, two: Profile, four: Profile) -> None:
    first = room.open(two)
    room.type("micro_batch", "8")
    room.open(four)
    assert room.panel.form.rows["micro_batch"].edit.text() == ""
    room.document.show(first)
    room.settle()
    assert room.panel.form.rows["micro_batch"].edit.text() == "8"
    assert room.document.states.view(first, "scaling") == {"texts": {"micro_batch": "8"}}


def test_what_was_left_the_last_time_comes_back(room: Room, two: Profile) -> None:
    entry = room.open(two)
    room.document.states.restore(entry, FileState((), {"scaling": {"texts": {"micro_batch": "4"}, "pasted": "1 2"}}))
    room.settle()
    assert room.panel.form.rows["micro_batch"].edit.text() == "4"
    room.turn(MEASURED)
    assert room.panel.measured.text.toPlainText() == "1 2"


def test_what_was_kept_is_not_trusted() -> None:
    typed = TypedInputs({"replicas": "16"}, "1 2", 7)
    assert restored(saved_state(typed)) == typed
    assert restored({"texts": [1], "pasted": 3, "loop": "x"}) == TypedInputs()
    assert restored({"texts": {"replicas": 4, "nonsense": "1", "batch": " "}, "loop": -1}) == TypedInputs()
    assert saved_state(TypedInputs()) == {}


# -- pictures -------------------------------------------------------------------------------------------------


def test_numbers_of_replicas_are_chosen_everywhere(room: Room) -> None:
    room.panel.desk.fill_example()
    canvas = room.panel.curves.canvases[0]
    layout = canvas.layout_now()
    assert layout is not None
    place = next(n for n, count in enumerate(room.curves.counts) if count == 8)
    spot = QPoint(round(layout.x_of(room.drawn(room.panel.curves).x.place(8))), round(layout.plot.center().y()))
    QTest.mouseMove(canvas, spot)
    assert room.panel.readout.text.startswith("8 replicas · Ideal: 8,000 samples/s · Model: ")
    QTest.mouseClick(canvas, LEFT, PLAIN, spot)
    assert canvas.selected == frozenset({place})
    room.turn(TABLE)
    assert room.panel.selected_rows().tolist() == [3]
    room.panel.table.view.mark(room.panel.selected_rows() + 1)
    room.turn(TIME)
    assert room.panel.bars.canvases[0].selected == frozenset({4})
    canvas.step_item(1)
    canvas.step_item(-1)


def test_tool_tips_tell_all_lines_and_parts(room: Room) -> None:
    room.panel.desk.fill_example()
    for key, text in (("startup_seconds", "10 min"), ("run_samples", "14222222"), ("transfer_seconds", "1 ms")):
        room.type(key, text)
    assert room.curves.about(16).startswith("16 replicas\nIdeal: ")
    room.turn(TIME)
    about = room.bars.about(16)
    assert "Host to IPU: 16.0 ms, " in about
    assert "Compile and load: " in about
    assert "compile and load as a share of the run" in room.bars.title
    parts = dict(room.bars.layers)
    assert list(parts) == ["Host to IPU", "IPU", "IPU to IPU"]
    assert room.bars.totals[0] == near(0.272)
    room.panel.shares.click()
    assert room.bars.shares
    assert room.bars.totals == near([100.0] * 7)


def test_a_ceiling_has_its_name(room: Room) -> None:
    room.panel.desk.fill_example()
    limits = [room.curves.limit]
    room.type("constant_share", "10 %")
    limits.append(room.curves.limit)
    assert limits[0] is None
    assert limits[1] is not None
    assert limits[1][0] == near(room.line("ideal")[1] * 10)
    assert limits[1][1] == "Ceiling"


def test_what_is_drawn_tells_all(room: Room) -> None:
    """Strokes, marks, limits and notes of the pictures stand in their descriptions."""
    room.panel.desk.fill_example()
    room.panel.desk.paste("1 900\n6 5000\n16 9000")
    for key, text in (("constant_share", "10 %"), ("startup_seconds", "10 min"), ("run_samples", "14222222")):
        room.type(key, text)
    curves = room.drawn(room.panel.curves)
    assert [(one.title, one.style.mark) for one in curves.series if one.style is not None] == [
        ("Ideal", ""),
        ("Model", "circle"),
        ("Fitted", ""),
        ("Measured", "square"),
    ]
    assert len({(one.style.dashes, one.style.width, one.style.mark) for one in curves.series if one.style}) == 4
    assert [reference.at for reference in curves.references if reference.quiet] == [16]
    assert [reference.text for reference in curves.references if reference.across] == ["Ceiling: 9,000"]
    assert [tick.label for tick in curves.x.named] == [f"{count:,}" for count in room.curves.counts]
    efficiency = room.drawn(room.panel.curves, 1)
    assert [one.title for one in efficiency.series] == [""] * 3
    room.turn(TIME)
    bars = room.drawn(room.panel.bars)
    assert [key.name for key in bars.keys] == ["Constant", "IPU to IPU", "IPU"]
    assert len(bars.notes) == len(bars.columns) == len(room.bars.counts)
    tops = [max(bar.high for bar in bars.bars if bar.left < count < bar.right) for count in room.bars.counts]
    assert tops == near(room.bars.totals)
    assert bars.about(0).startswith("1 replica: ")


@pytest.mark.parametrize("size", [(1500, 600), (1000, 300), (660, 700), (520, 220)])
@pytest.mark.parametrize("page", [THROUGHPUT, TIME])
def test_pictures_are_drawn_at_any_size(room: Room, size: tuple[int, int], page: int) -> None:
    room.panel.desk.fill_example()
    room.panel.desk.paste("1 900\n6 5000\n16 9000")
    room.turn(page)
    room.panel.resize(*size)
    QApplication.processEvents()
    assert isinstance(room.panel, HasPicture)
    for theme in (LIGHT, DARK):
        image = QImage(*size, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        with QPainter(image) as painter:
            room.panel.draw_picture(painter, QRectF(0, 0, *size), theme)
        colours = {image.pixel(x, y) for x in range(0, size[0], 3) for y in range(0, size[1], 3)}
        assert len(colours) > 4


def test_plots_are_offered_for_runs_with_a_loop(two: Profile, unfed: Profile) -> None:
    assert all(plot.offered(two) for plot in PLOTS)
    assert not any(plot.offered(unfed) for plot in PLOTS)
    assert not any(plot.offered(replace(two, steps=None)) for plot in PLOTS)


# -- what if --------------------------------------------------------------------------------------------------


def test_sliders_show_what_would_change(room: Room) -> None:
    room.panel.desk.fill_example()
    room.panel.side_tabs.setCurrentIndex(1)
    room.panel.sliders.knobs["accumulation"].setValue(1)
    assert room.line("what if")[16] == near(15_058.8, abs=0.05)
    assert room.line("model")[16] == near(14_222.2, abs=0.05)
    assert "Samples/s: 14,222 → 15,059 (+5.9 %)" in room.panel.sliders.outcome.text().replace(".2", "").replace(
        ".8", ""
    )
    assert room.panel.readout.text.startswith("What if · 16 replicas: 15,059 samples/s")
    room.turn(TIME)
    before = [room.bars.before]
    room.panel.sliders.reset.click()
    before.append(room.bars.before)
    assert before[0] is not None
    assert before[0][4] == near(0.288)
    assert before[1] is None
    assert room.panel.sliders.knobs["accumulation"].value() == 0


def test_sliders_belong_to_their_profile(room: Room, two: Profile, four: Profile) -> None:
    first = room.open(two)
    room.panel.sliders.knobs["allreduce"].setValue(-4)
    room.open(four)
    assert room.panel.sliders.knobs["allreduce"].value() == 0
    room.document.show(first)
    room.settle()
    assert room.panel.sliders.knobs["allreduce"].value() == -4


# -- pages ----------------------------------------------------------------------------------------------------


def test_figures_and_checklist(room: Room) -> None:
    room.turn(FIGURES)
    assert "micro-batch is needed" in room.panel.figures.stack.empty.text
    room.panel.desk.fill_example()
    page = room.panel.figures.copy_text()
    assert "Weight update\t288 ms" in page
    assert "Smallest machine\tPod16" in page
    room.turn(CHECKLIST)
    assert "▲ Gradient accumulation: the allreduce takes 11.1 %" in room.panel.checklist.copy_text()
    assert room.panel.tabs.tabText(CHECKLIST) == "Checklist (1)"


def test_measured_throughputs_are_fitted_and_drawn(
    room: Room, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.turn(MEASURED)
    assert room.panel.measured.page.stack.is_empty
    with qtbot.waitSignal(room.panel.measured.pasted, timeout=5000):
        room.panel.measured.text.setPlainText("1 1000\n4 3500\noops")
    assert room.panel.measured.problems.text() == "line 3: 'oops' is not a number"
    assert "Ceiling, samples/s" in room.panel.measured.page.copy_text()
    room.turn(THROUGHPUT)
    assert [line.role for line in room.curves.lines] == ["ideal", "fit", "measured"]
    file = tmp_path / "measured.csv"
    file.write_text("replicas,real,generated,synthetic\n1,970,990,1000\n16,8000,15500,16000\n", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    room.panel.measured.load.click()
    room.turn(MEASURED)
    page = room.panel.measured.page.copy_text()
    assert "Reading and preparing data on the host limits the IPUs" in page
    assert "16 replicas, time lost: host 50.0 %" in page
    room.panel.measured.load_file(tmp_path / "gone.csv")
    assert "gone.csv: no such file." in room.panel.measured.problems.text()
    file.write_bytes(b"\xff\xfe")
    room.panel.measured.load_file(file)
    assert room.panel.measured.problems.text() == "measured.csv is not a text file."


def test_the_table_twin_has_the_same_figures(room: Room) -> None:
    assert isinstance(room.panel, Tabular)
    assert room.panel.shown_table() is None
    room.panel.desk.fill_example()
    table = room.panel.shown_table()
    assert table is not None
    assert table.id == "scaling"
    room.turn(CHECKLIST)
    checklist = room.panel.shown_table()
    assert isinstance(checklist, Table)
    assert checklist.id == "scaling-checklist"
    room.turn(TABLE)
    rows = room.panel.shown_rows()
    assert rows is not None
    assert rows.tolist() == list(range(7))


# -- two profiles ---------------------------------------------------------------------------------------------


def test_two_profiles_are_compared(room: Room, two: Profile, four: Profile) -> None:
    room.open(two)
    room.turn(COMPARE)
    assert "Open a second profile" in room.panel.compare.stack.empty.text
    other = room.open(four, show=False)
    assert room.panel.compare.stack.empty.text == "Choose the profile to compare with."
    place = room.panel.compare.others.findData(other)
    room.panel.compare.others.setCurrentIndex(place)
    room.panel.compare.others.activated.emit(place)
    table = room.panel.shown_table()
    assert table is not None
    assert table.id == "scaling-memory"
    items = room.panel.compare.table.view.items
    places = [place for place, column in enumerate(table.columns) if column.key in ("a", "b", "difference")]
    heads = [items.headerData(place, Qt.Orientation.Horizontal) for place in places]
    assert heads == ["A (KiB)", "B (KiB)", "B − A (KiB)"]
    assert room.panel.compare.readout.text.startswith("Exchange code grows: globalExchangeCode")
    room.panel.compare.tabs.setCurrentIndex(1)
    assert "Steps by name" in room.panel.compare.table.view.accessibleName()
    room.turn(CHECKLIST)
    assert "▲ Exchange code: grows: globalExchangeCode" in room.panel.checklist.copy_text()
    room.panel.compare.mine.setValue(4)
    assert room.panel.compare.stack.empty.text == "Both profiles have 4 replicas."
    room.document.close(other)
    room.settle()
    assert "Open a second profile" in room.panel.compare.stack.empty.text


def test_long_runs_are_measured_in_the_background(
    room: Room, qtbot: QtBot, two: Profile, four: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "AT_ONCE", 1)
    other = room.open(four, show=False)
    with qtbot.waitSignal(room.panel.work.ready, timeout=5000):
        room.open(two)
        assert room.panel.readout.text == "Measuring the run…"
    field = room.panel.form.rows["micro_batch_seconds"].edit
    qtbot.waitUntil(lambda: field.placeholderText() == "3.20 ms")
    room.settle()
    with qtbot.waitSignal(room.panel.work.ready, timeout=5000):
        room.panel.desk.choose_other(other)
        assert room.panel.compare.stack.empty.text == "Comparing the runs…"
    room.turn(COMPARE)
    qtbot.waitUntil(lambda: room.panel.shown_table() is not None)


def test_a_selection_from_elsewhere_is_left_alone(room: Room, two: Profile) -> None:
    room.open(two)
    room.document.selection.set(Selection("step", (3,), "timeline"))
    assert room.document.selection.value == Selection("step", (3,), "timeline")


def test_the_baseline_is_beside_inputs_curves_and_figures(room: Room, two: Profile, four: Profile) -> None:
    entry = room.open(four)
    baseline = room.open(two, show=False)
    alone = room.drawn(room.panel.curves)
    assert room.panel.form.rows["replicas"].before.isHidden()
    room.document.baselines.set(entry, baseline)
    room.settle()
    assert there(room.panel.before).model is not None
    chart = room.drawn(room.panel.curves)
    assert [series.name for series in chart.series if series.name == "Baseline"] == ["Baseline"]
    row = room.panel.form.rows["replicas"]
    assert (row.before.isHidden(), row.before.text()) == (False, "baseline: 2")
    room.turn(TIME)
    bars = room.drawn(room.panel.bars)
    assert "Baseline" in [series.name for series in bars.series]
    room.turn(FIGURES)
    assert "baseline" in there(room.panel.figures.sheet).text
    room.turn(TABLE)
    keys = [column.key for column in room.panel.table.view.items.table.columns]
    assert "throughput_difference" in keys
    assert room.panel.desk.other == baseline, "Two profiles compares with the baseline"
    room.document.baselines.end(entry)
    room.settle()
    room.turn(THROUGHPUT)
    again = room.drawn(room.panel.curves)
    assert [(one.name, one.line) for one in again.series] == [(one.name, one.line) for one in alone.series]
    assert room.panel.form.rows["replicas"].before.isHidden()


def test_a_run_beside_itself_has_the_same_curves(room: Room, two: Profile) -> None:
    entry = room.open(two)
    room.document.baselines.set(entry, room.open(replace(two, name="again"), show=False))
    room.settle()
    curves = there(charts.throughput(there(room.panel.study), room.panel.before))
    lines = {line.role: line.places for line in curves.lines}
    assert lines["baseline"] == lines["model"]
    assert all(row.before.isHidden() for row in room.panel.form.rows.values())
