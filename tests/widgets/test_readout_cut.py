"""Where a line of text ends that does not fit."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QFontMetrics
from pytestqt.qtbot import QtBot

from app.widgets.texts import cut


@pytest.mark.parametrize(
    ("text", "fitting", "shown"),
    [
        ("1,377 programs", "1,377 programs", "1,377 programs"),
        ("1,377 programs", "1,377 progr", "1,377 …"),
        ("1,377 programs", "1,377", "1,377"),
        ("1,377 programs", "1,3", "…"),
        ("mean 381 KiB · most 38.8 KiB", "mean 381 KiB · most 38", "mean 381 KiB · most …"),
        ("mean 381 KiB · most 38.8 KiB", "mean 381 KiB · …", "mean 381 KiB …"),
    ],
)
def test_no_figure_loses_digits(qtbot: QtBot, text: str, fitting: str, shown: str) -> None:
    metrics = QFontMetrics(QFont())
    assert cut(text, metrics, metrics.horizontalAdvance(fitting)) == shown


def test_a_long_word_is_cut(qtbot: QtBot) -> None:
    metrics = QFontMetrics(QFont())
    assert cut("resnet_stage1_block1", metrics, metrics.horizontalAdvance("resnet_s…") + 1).startswith("resnet")
