"""The source panel with a baseline: both costs, removed lines in their place, and the way from difference to
difference."""

from __future__ import annotations

from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app.panels.source.compared import MovedCell
from app.panels.source.panel import SourcePanel
from app.panels.source.stalls import StallCell
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.context import Context
from app.widgets.table.delegate import DifferenceCell
from fakes.compared import ComparedPanel
from fakes.operators import changed, read, shifted, whole
from generators.ascend_device import device_source
from generators.ascend_kernel import KERNEL, texts

ADDED = ["    // planted", "    Planted();"]
AT, LINE, MORE = 45, 63, 4321


@pytest.fixture(scope="module")
def content() -> bytes:
    return whole()


@pytest.fixture(scope="module")
def before(content: bytes) -> Profile:
    return read(content)


@pytest.fixture(scope="module")
def after(content: bytes) -> Profile:
    def change(tree: Any) -> None:
        for file in tree["Files"]:
            for own in file["Lines"] if file["Source"] == KERNEL else ():
                if own["Line"] == LINE:
                    own["Cycles"] = [cycles + MORE for cycles in own["Cycles"]]

    return read(shifted(changed(content, 0x03, change), AT, ADDED))


def cells(panel: Any, key: str) -> list[Any]:
    table = panel.left.view.items.table
    column = next(column for column in table.columns if column.key == key)
    return [column.value(row) for row in range(table.rows)]


def keys(panel: Any) -> list[str]:
    return [column.key for column in panel.left.view.items.table.columns]


def test_lines_of_both_with_costs_and_steps_through_differences(
    qtbot: QtBot, context: Context, before: Profile, after: Profile
) -> None:
    own = ComparedPanel(qtbot, context, SourcePanel, before, after)
    panel, document = own.panel, context.document
    alone = keys(panel), cells(panel, "text"), panel.right.view.items.table.rows
    assert panel.differences.isHidden()
    own.compare()
    view = panel.left.view
    assert keys(panel)[:7] == [
        "change",
        "line_before",
        "line",
        "cycles_difference",
        "text",
        "cycles_before",
        "cycles_after",
    ]
    assert [row for row, sign in enumerate(cells(panel, "change")) if sign] == [AT, AT + 1]
    assert view.cell_delegate.statuses.tolist().count(2) == 2
    row = LINE - 1 + len(ADDED)
    assert cells(panel, "cycles_difference")[row] == MORE
    place = keys(panel).index("cycles_difference")
    bar = view.cell_delegate.drawn[place]
    assert isinstance(bar, DifferenceCell)
    assert bar.full == MORE
    was = cells(panel, "cycles_before")[row]
    assert bar.tip(row).startswith(
        f"baseline {was:,} cycles, comparison {was + MORE:,} cycles, difference +{MORE:,} cycles"
    )
    assert "1 line differs" in panel.differences.summary.text
    assert "2 only in the comparison" in panel.differences.summary.text
    assert f"+{MORE:,}" in panel.differences.summary.text
    panel.difference_step(1)
    assert view.selected_source_rows().tolist() == [AT]
    panel.difference_step(1)
    assert view.selected_source_rows().tolist() == [row]
    selection = document.selection.value
    assert selection is not None
    assert after.lines is not None
    assert selection == Selection("line", (int(after.lines.line.tolist().index(LINE + len(ADDED))),), "source")
    assert panel.right.view.items.marks is None
    panel.difference_step(-1)
    assert view.selected_source_rows().tolist() == [AT]
    panel.show_line(KERNEL, LINE + len(ADDED))
    assert view.selected_source_rows().tolist() == [row]
    panel.only.setChecked(True)
    listed = panel.right.shown_rows()
    assert 0 < len(listed) < alone[2]
    panel.only.setChecked(False)
    panel.differences.by_size.setChecked(True)
    own.settle()
    assert cells(panel, "line") == [LINE + len(ADDED)]
    panel.differences.by_size.setChecked(False)
    own.settle()
    own.end()
    assert (keys(panel), cells(panel, "text"), panel.right.view.items.table.rows) == alone
    assert view.cell_delegate.statuses is None
    assert view.cell_delegate.drawn == {}
    assert panel.differences.isHidden()
    assert panel.limits.isHidden()


def test_the_text_of_either_side_is_highlighted_and_swapping_removes_the_lines(
    qtbot: QtBot, context: Context, before: Profile, after: Profile
) -> None:
    own = ComparedPanel(qtbot, context, SourcePanel, before, after)
    panel = own.panel
    own.compare()
    own.swap()
    assert [row for row, sign in enumerate(cells(panel, "change")) if sign] == [AT, AT + 1]
    assert cells(panel, "text")[AT : AT + 2] == ADDED
    assert set(cells(panel, "change")) == {None, "−"} or set(cells(panel, "change")) == {"", "−"}
    model = panel.left.view.items
    model.colouring.finish()
    model.baseline.finish()
    lines = texts()[KERNEL].splitlines()
    assert model.spans(AT) == model.baseline.of_line(AT)
    assert model.spans(AT)[0][2] == "comment"
    assert model.spans(AT + 2) == model.colouring.of_line(AT)
    assert cells(panel, "text")[AT + 2] == lines[AT]


def test_itself_differs_nowhere(qtbot: QtBot, context: Context, before: Profile) -> None:
    own = ComparedPanel(qtbot, context, SourcePanel, before, before)
    own.compare()
    panel = own.panel
    assert not panel.can_step_differences
    assert not panel.differences.next.isEnabled()
    assert set(cells(panel, "cycles_difference")) == {0, None}
    assert not panel.left.view.cell_delegate.statuses.any()
    panel.difference_step(1)
    assert not len(panel.left.selected_rows())


def test_stall_samples_of_both_sides_are_broken_down_by_reason(qtbot: QtBot, context: Context) -> None:
    def change(tree: Any) -> None:
        del tree["Instructions"][3]

    content = device_source()
    own = ComparedPanel(qtbot, context, SourcePanel, read(content), read(changed(content, 0x04, change)))
    own.compare()
    view = own.panel.right.view
    table = view.items.table
    drawn = {table.columns[place].key: cell for place, cell in view.cell_delegate.drawn.items()}
    before, after = (drawn[f"stall_sampling_all_samples_{side}"] for side in ("before", "after"))
    assert isinstance(before, StallCell)
    assert isinstance(after, StallCell)
    (gone,) = (row for row in range(table.rows) if table.columns[0].value(row) == "−")
    assert gone == 3
    assert after.parts.of(gone) == []
    assert dict(before.parts.of(gone))
    assert all(before.parts.of(row) == after.parts.of(row) for row in range(table.rows) if row != gone)
    assert isinstance(drawn["gpr_status"], MovedCell)
    assert own.panel.reasons.isVisible()
    model = view.items
    place = [column.key for column in table.columns].index("stall_sampling_all_samples_after")
    assert model.index(gone, place).data() == ""
