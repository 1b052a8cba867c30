"""How far rows are indented, and what is seen of long paths."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.views.tree.nodes import ARROW, NARROWEST_STEP, PART, STEP, Indents, indents
from app.widgets.display import Display
from app.widgets.sheet import Wrapped
from app.widgets.texts import shortened


@given(st.lists(st.integers(0, 5000), min_size=1, max_size=60), st.integers(60, 900), st.integers(4, 24))
def test_indentation_never_takes_half_of_the_column(levels: list[int], column: int, step: int) -> None:
    made = indents(levels, column, step)
    lefts = [made.left(level) for level in levels]
    assert max(lefts) + ARROW <= column / 2 or max(lefts) == 0
    assert sorted(lefts) == [left for _, left in sorted(zip(levels, lefts, strict=True))]
    deepest = [level for level in levels if max(levels) - level < (column * PART - ARROW) // NARROWEST_STEP]
    assert len({made.left(level) for level in deepest}) == len(set(deepest))


def test_few_levels_have_whole_steps_from_the_top() -> None:
    assert [indents([0, 1, 2, 3], 260).left(level) for level in range(4)] == [0, STEP, 2 * STEP, 3 * STEP]
    assert indents([2, 3], 260).left(2) == 2 * STEP
    assert indents([], 260).left(0) == 0
    local = indents([198, 199, 200], 260)
    assert [local.left(level) for level in (7, 198, 199, 200)] == [0, 0, STEP, 2 * STEP]


def test_rows_do_not_move_whenever_one_opens() -> None:
    before = indents([40, 41, 42, 43, 44, 45, 46], 260)
    assert indents([40, 41, 42, 43, 44, 45], 260, before=before) is before
    assert indents([39, 40, 41], 260, before=before) != before
    assert indents([40, 47], 260, before=before).left(47) + ARROW <= 130
    assert indents([0, 1, 2], 260, before=before) == Indents(0, STEP)


def test_of_a_path_the_end_is_seen(qapp: QApplication) -> None:
    metrics = QFontMetrics(QFont(qapp.font()))
    path = "model/encoder/layer_7/attention/query/MatMul/Convolve/Reduce"
    for room in range(60, 400, 20):
        shown = shortened(path, metrics, room)
        assert metrics.horizontalAdvance(shown) <= room
        assert shown == path or path.endswith(shown.lstrip("….")) or shown in ("…", "")
    wide = shortened(f"function 3: {path}", metrics, 320)
    assert wide.startswith("function 3: ")
    assert wide.endswith("/Reduce")
    assert shortened(f"function 3: {path}", metrics, 110).endswith("/Reduce")
    assert shortened("no path at all, but long", metrics, 80).startswith("no")


def test_a_long_name_wraps_and_never_widens_its_page(qtbot: QtBot) -> None:
    path = "model/encoder/" + "x" * 300
    title = Wrapped(Display(), path)
    qtbot.addWidget(title)
    assert title.minimumSizeHint().width() <= 24
    line = title.heightForWidth(10_000)
    assert title.heightForWidth(300) >= title.fontMetrics().horizontalAdvance(path) // 300 * line > 3 * line
    assert title.accessibleName() == path
