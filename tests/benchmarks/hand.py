"""A hand on the mouse and the keys of the real window, which measures the turns of the event loop that it causes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

LONG_MS = 1.0
QUIET = 0.5
"""Seconds without a turn of LONG_MS after which all effects of an action are shown: more than a double click takes."""
AT_MOST = 10.0
NOTCH = 120
NO_KEY = Qt.KeyboardModifier.NoModifier


@dataclass(frozen=True, slots=True)
class Turn:
    """Milliseconds of a turn of the event loop: of the clock, and of the processor in the window's thread."""

    clock: float
    worked: float


def click(widget: QWidget, point: QPoint) -> Turn:
    """The longest turn after the pointer comes to ``point`` and clicks there."""
    left = Qt.MouseButton.LeftButton
    return longest(
        lambda: QTest.mouseMove(widget, point),
        lambda: QTest.mousePress(widget, left, NO_KEY, point),
        lambda: QTest.mouseRelease(widget, left, NO_KEY, point),
    )


def hover(widget: QWidget, points: Iterable[QPoint]) -> Turn:
    """The longest turn while the pointer goes from point to point."""
    return worst([longest(lambda at=point: QTest.mouseMove(widget, at)) for point in points])  # type: ignore[misc]


def escape(widget: QWidget) -> Turn:
    """The longest turn after Escape in ``widget``."""
    widget.setFocus()
    longest()
    return longest(lambda: QTest.keyClick(widget, Qt.Key.Key_Escape))


def zoom(widget: QWidget, point: QPoint, notches: int) -> Turn:
    """The longest turn while the wheel zooms at ``point`` by so many notches and back."""
    steps = [NOTCH] * notches + [-NOTCH] * notches
    return longest(*(lambda step=step: _wheel(widget, point, step) for step in steps))


def longest(*steps: Callable[[], object]) -> Turn:
    """Takes each step in a turn of its own, and goes on until the event loop is quiet."""
    turns = [_turn(step) for step in steps]
    begin = last = time.perf_counter()
    while (now := time.perf_counter()) - last < QUIET and now - begin < AT_MOST:
        turns.append(_turn(lambda: None))
        if turns[-1].clock > LONG_MS:
            last = time.perf_counter()
        time.sleep(0.001)
    return worst(turns)


def worst(turns: Iterable[Turn]) -> Turn:
    """The longest of each kind, which need not be the same turn."""
    every = list(turns)
    return Turn(max(turn.clock for turn in every), max(turn.worked for turn in every))


def _turn(step: Callable[[], object]) -> Turn:
    begin, worked = time.perf_counter(), time.thread_time()
    step()
    QApplication.processEvents()
    return Turn((time.perf_counter() - begin) * 1e3, (time.thread_time() - worked) * 1e3)


def _wheel(widget: QWidget, point: QPoint, delta: int) -> None:
    event = QWheelEvent(
        QPointF(point),
        QPointF(widget.mapToGlobal(point)),
        QPoint(),
        QPoint(0, delta),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
