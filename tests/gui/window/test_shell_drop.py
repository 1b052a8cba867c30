"""Dropping files anywhere on the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent

from app.window.drop import paths_of
from app.window.main_window import MainWindow
from fakes.shell import ascend, loader_of

COPY = Qt.DropAction.CopyAction
LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


def files(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def enter(window: MainWindow, data: QMimeData) -> QDragEnterEvent:
    """As the native window hears of it, over a panel in the middle; it finds the widget itself."""
    event = QDragEnterEvent(QPoint(300, 300), COPY | Qt.DropAction.MoveAction, data, LEFT, NONE)
    QCoreApplication.sendEvent(window.windowHandle(), event)
    return event


def test_many_files_and_folders_are_opened(window: MainWindow, tmp_path: Path) -> None:
    window.document.add(ascend(), 1)
    data = files(tmp_path / "a.bin", tmp_path)
    assert enter(window, data).isAccepted()
    assert window.overlay.isVisible()
    assert window.overlay.geometry() == window.rect()
    move = QDragMoveEvent(QPoint(310, 300), COPY, data, LEFT, NONE)
    QCoreApplication.sendEvent(window.windowHandle(), move)
    assert move.isAccepted()
    drop = QDropEvent(QPointF(310, 300), COPY | Qt.DropAction.MoveAction, data, LEFT, NONE)
    QCoreApplication.sendEvent(window.windowHandle(), drop)
    assert drop.dropAction() == COPY  # a move would delete the file at its source
    assert loader_of(window).asked == [(tmp_path / "a.bin", tmp_path)]
    assert not window.overlay.isVisible()


def test_leaving_takes_the_highlight_away(window: MainWindow, tmp_path: Path) -> None:
    enter(window, files(tmp_path))
    QCoreApplication.sendEvent(window.windowHandle(), QDragLeaveEvent())
    assert not window.overlay.isVisible()
    assert loader_of(window).asked == []


def test_what_is_no_file_is_left_to_the_panels(window: MainWindow) -> None:
    text = QMimeData()
    text.setText("text")
    enter(window, text)
    assert not window.overlay.isVisible()
    web = QMimeData()
    web.setUrls([QUrl("https://example.org/a.bin")])
    assert paths_of(web) == []


def test_the_highlight_follows_the_window(window: MainWindow, tmp_path: Path) -> None:
    enter(window, files(tmp_path))
    window.resize(900, 650)
    assert window.overlay.geometry() == window.rect()
    assert not window.overlay.grab().isNull()
