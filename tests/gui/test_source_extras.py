"""What the source panel draws besides texts and bars, and what it says where a part is missing."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.relations import translate
from app.formats import collect, registry
from app.formats.ascend_bin import FORMAT
from app.panels.source.panel import NO_INSTRUCTIONS, NO_SOURCE, SourcePanel
from app.panels.source.registers import WORKING, RegisterCell
from app.panels.source.stalls import StallCell
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.resources import resource
from app.views.look import DARK, LIGHT, Theme
from app.widgets.code.table import UNSEEN
from app.widgets.context import Context
from app.widgets.table.delegate import CellDrawing
from app.widgets.table.view import TableView
from fakes.panels import Opened
from generators.ascend_bin import Program, block, core_names, source_blocks
from generators.ascend_device import (
    REASONS,
    device_source,
    instructions_with_states,
    live_states,
    source_texts,
)
from generators.reading import profile_of


@pytest.fixture
def device() -> Profile:
    return profile_of(FORMAT, device_source())


def drawn(view: TableView, key: str) -> CellDrawing:
    place = [column.key for column in view.items.table.columns].index(key)
    return view.cell_delegate.drawn[place]


def colours(cell: CellDrawing, row: int, theme: Theme) -> set[str]:
    image = QImage(cell.width, 24, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.surface))
    with QPainter(image) as painter:
        assert cell.draw(painter, QRect(0, 0, cell.width, 24), row, theme) is None
    return {image.pixelColor(x, y).name() for x in range(cell.width) for y in range(24)}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_stall_cells_show_their_reasons(opened: Opened, device: Profile, theme: Theme) -> None:
    panel = opened(SourcePanel, device)
    cell = drawn(panel.right.view, "stall_sampling_all_samples")
    assert isinstance(cell, StallCell)
    found = device.instructions
    assert found is not None
    row = 5
    parts = dict(cell.parts.of(row))
    assert set(parts) <= set(REASONS)
    shown = {colour.name() for reason, colour in cell.colours(theme).items() if parts.get(reason, 0) > 1}
    assert shown <= colours(cell, row, theme)
    lines = cell.tip(row).splitlines()
    assert lines[0].startswith("Stall Sampling(All Samples): ")
    most = max(parts, key=lambda reason: parts[reason])
    assert lines[1] == f"{most}: {parts[most]:.0f} ({100 * parts[most] / sum(parts.values()):.1f} %)"


def test_lines_have_their_own_parts_and_one_legend_names_all(opened: Opened, device: Profile) -> None:
    panel = opened(SourcePanel, device)
    cell = drawn(panel.left.view, "stall_sampling_all_samples")
    assert isinstance(cell, StallCell)
    keys = panel._view.table.keys
    bare, measured = int(np.flatnonzero(keys < 0)[0]), int(np.flatnonzero(keys >= 0)[0])
    assert cell.parts.of(bare) == []
    assert cell.tip(bare) == ""
    assert dict(cell.parts.of(measured))
    assert panel.reasons.isVisible()
    assert panel.reasons.accessibleName().startswith("Stall reasons: ")
    assert set(panel.reasons.accessibleName().removeprefix("Stall reasons: ").split(", ")) == set(REASONS)
    model = panel.left.view.items
    place = [column.key for column in model.table.columns].index("stall_sampling_all_samples")
    assert "Stall Sampling" in str(model.index(measured, place).data(0x3))


def test_registers_are_worked_out_and_drawn(qtbot: QtBot, opened: Opened, device: Profile) -> None:
    panel = opened(SourcePanel, device)
    view = panel.right.view

    def ready() -> None:
        cell = drawn(view, "gpr_status")
        assert isinstance(cell, RegisterCell)
        assert cell._lives is not None

    qtbot.waitUntil(ready)
    cell = drawn(view, "gpr_status")
    assert isinstance(cell, RegisterCell)
    assert cell._lives is not None
    row = next(row for row in range(200) if len(cell._lives.of_row(row)) > 1)
    assert len(cell.tip(row).splitlines()) == len(cell._lives.of_row(row))
    empty = next(row for row in range(200) if not len(cell._lives.of_row(row)))
    assert cell.tip(empty) == "No register is listed here."
    assert colours(cell, empty, LIGHT) == {LIGHT.surface.lower()}
    assert len(colours(cell, row, LIGHT)) > 2


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_live_register_has_its_line(qtbot: QtBot, opened: Opened, theme: Theme) -> None:
    """The column grows to the lanes that it needs when they are known."""
    panel = opened(SourcePanel, profile_of(FORMAT, instructions_with_states(live_states([1, 60, 127, 3]))))
    view = panel.right.view
    place = [column.key for column in view.items.table.columns].index("gpr_status")
    qtbot.waitUntil(lambda: view.columnWidth(place) > 127 * 5)
    cell = drawn(view, "gpr_status")
    assert isinstance(cell, RegisterCell)
    assert cell.width == view.columnWidth(place)
    assert len(cell.tip(2).splitlines()) == 127
    assert "R126: written, starts here, live for 1 instruction" in cell.tip(2)
    image = QImage(cell.width, 24, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.surface))
    with QPainter(image) as painter:
        cell.draw(painter, QRect(0, 0, cell.width, 24), 2, theme)
    painted = [any(image.pixelColor(x, y) != QColor(theme.surface) for y in range(24)) for x in range(cell.width)]
    assert max(x for x, one in enumerate(painted) if one) > 126 * 5
    keys = [column.key for column in view.items.table.columns]
    assert keys[keys.index("text") + 1 :][:2] == ["live_registers", "gpr_status"]


def test_registers_say_that_they_are_being_worked_out(opened: Opened, device: Profile) -> None:
    cell = RegisterCell(None, QApplication.font())
    assert len(colours(cell, 0, DARK)) > 1
    assert cell.tip(0) == ""
    assert WORKING.endswith("…")


def test_files_of_a_simulator_have_neither(opened: Opened) -> None:
    profile = profile_of(FORMAT, b"".join(source_blocks(Program(tuple(core_names(1))))))
    panel = opened(SourcePanel, profile)
    assert panel.left.view.cell_delegate.drawn == {}
    assert panel.right.view.cell_delegate.drawn == {}
    assert not panel.reasons.isVisible()


def test_source_alone(opened: Opened) -> None:
    panel = opened(SourcePanel, profile_of(FORMAT, source_texts()))
    assert panel.left.shown_table().rows > 50
    assert "no line table" in panel.left.note.text()
    assert panel.sides[1].empty.text == NO_INSTRUCTIONS
    assert not panel.only.isEnabled()


def test_lines_alone(opened: Opened) -> None:
    program = Program(tuple(core_names(1)))
    panel = opened(SourcePanel, profile_of(FORMAT, block(0x03, program.line_json())))
    numbers = panel.left.shown_table().columns[0].values
    assert np.all(np.diff(numbers) > 0)
    assert "does not contain the text" in panel.left.note.text()
    assert panel.sides[1].is_empty


def test_instructions_alone(opened: Opened) -> None:
    program = Program(tuple(core_names(1)))
    payload = b"".join(program.instruction_json())
    panel = opened(SourcePanel, profile_of(FORMAT, block(0x04, payload, version=0)))
    assert panel.sides[0].empty.text == NO_SOURCE
    assert panel.right.shown_table().rows == program.total
    assert not panel.files.isVisible()


def test_a_slice_marks_its_instruction_and_an_instruction_its_slices(
    qtbot: QtBot, opened: Opened, context: Context
) -> None:
    path = resource("samples", "matmul_leakyrelu.bin")
    profile = collect.read(registry.plan([path])[0][0].format, [path])[0]
    assert profile.timeline is not None
    assert profile.instructions is not None
    panel = opened(SourcePanel, profile)
    addresses = profile.timeline.slices.address
    chosen = int(np.flatnonzero(addresses >= 0)[100])
    context.document.selection.set(Selection("slice", (chosen,), "timeline"))
    rows = panel.right.selected_rows()
    assert profile.instructions.address[rows].tolist() == [addresses[chosen]]
    shown = panel._view.table.keys[panel.left.selected_rows()]
    assert np.isin(shown, translate(profile, Selection("slice", (chosen,)), "line")).all()
    back = translate(profile, Selection("instruction", tuple(rows.tolist())), "slice")
    assert np.array_equal(back, np.flatnonzero(addresses == addresses[chosen]))
    context.document.selection.set(Selection("instruction", tuple(rows.tolist()), "source/instructions"))
    assert panel.readout.text.startswith(f"Instruction {addresses[chosen]:#x}: line ")
    assert panel.readout.text.endswith(f", {len(back):,} slices")
    alone = collect.read(FORMAT, [path])[0]
    bare = replace(alone, timeline=None, lines=None)
    context.document.add(bare, job=2)
    qtbot.waitUntil(lambda: panel._current and not panel.refill_due)
    context.document.selection.set(Selection("instruction", (0,), "tables"))
    assert panel.readout.text == f"Instruction {int(profile.instructions.address[0]):#x}"


def test_code_shows_what_would_turn_its_direction() -> None:
    assert UNSEEN.sub("?", "a\u202e\tb\x1b") == "a?\tb?"


def test_each_table_is_filled_in_a_piece_of_its_own(opened: Opened, capture_mix: Profile) -> None:
    panel = opened(SourcePanel, capture_mix)
    assert len(list(panel.fill(capture_mix))) == 2
