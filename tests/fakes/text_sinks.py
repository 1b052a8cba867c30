"""Texts passed to Qt: every text that our code passes to a widget, a painter or a font's metrics, and every text in a
window's widgets, models, menus and tool tips."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PySide6 import QtGui, QtWidgets
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QLabel, QTabBar, QWidget

NAMES = {
    "addAction",
    "addItem",
    "addItems",
    "addMenu",
    "addTab",
    "boundingRect",
    "drawStaticText",
    "drawText",
    "elidedText",
    "horizontalAdvance",
    "insertItem",
    "insertPlainText",
    "setAccessibleDescription",
    "setAccessibleName",
    "setHtml",
    "setIconText",
    "setItemText",
    "setMarkdown",
    "setPlaceholderText",
    "setPlainText",
    "setStatusTip",
    "setTabText",
    "setTabToolTip",
    "setText",
    "setTitle",
    "setToolTip",
    "setWhatsThis",
    "setWindowFilePath",
    "setWindowTitle",
    "showMessage",
    "showText",
    "tightBoundingRect",
}
ITEMS = {"addItem", "insertItem"}
"""Functions whose other arguments are data that is not shown."""
ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.WhatsThisRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)
ROWS, DEPTH = 60, 4
TAG = re.compile(r"<[a-z!/?][^>]*>")
OURS = re.compile(r"</?(div|b|span|table|tr|td|p|h3)(?: (?:style|align|cellspacing)='[^']*')*>")


@dataclass
class Given:
    """``calls`` and ``characters`` count every text passed to Qt, ``longest`` has the longest of each kind; ``rich``
    has the texts that Qt would treat as markup with tags that are not ours."""

    calls: int = 0
    characters: int = 0
    longest: dict[str, int] = field(default_factory=dict)
    rich: set[str] = field(default_factory=set)

    def take(self, where: str, text: str) -> None:
        self.calls += 1
        self.characters += len(text)
        self.longest[where] = max(self.longest.get(where, 0), len(text))

    def too_long(self, most: Callable[[str], int]) -> dict[str, int]:
        return {where: length for where, length in self.longest.items() if length > most(where)}


def watch(patch: pytest.MonkeyPatch) -> Given:
    """Resets the counters."""
    given = Given()
    for module in (QtGui, QtWidgets):
        for made in _classes(module):
            for name in NAMES & set(vars(made)):
                _wrap(patch, made, name, given)
    return given


def _classes(module: ModuleType) -> list[type]:
    return [kind for kind in vars(module).values() if isinstance(kind, type)]


def _wrap(patch: pytest.MonkeyPatch, made: type, name: str, given: Given) -> None:
    plain = getattr(made, name)

    def counted(*words: Any, **named: Any) -> Any:
        where = f"{Path(sys._getframe(1).f_code.co_filename).name} {made.__name__}.{name}"
        given_texts = [word for word in words if isinstance(word, str)]
        for word in given_texts[:1] if name in ITEMS else (*words, *named.values()):
            for text in word if isinstance(word, list) else (word,):
                if isinstance(text, str):
                    given.take(where, text)
                    if name in ("setToolTip", "setTabToolTip", "showText", "setWhatsThis") and is_strange(text):
                        given.rich.add(f"{where}: {text[:200]}")
        return plain(*words, **named)

    static = isinstance(vars(made)[name], staticmethod) or made.__name__ == "QToolTip"
    patch.setattr(made, name, staticmethod(counted) if static else counted)


def is_strange(text: str) -> bool:
    """Whether Qt would treat ``text`` as markup with tags that are not ours."""
    return QtGui.Qt.mightBeRichText(text) and any(not OURS.fullmatch(tag) for tag in TAG.findall(text))


def texts_of(top: QWidget) -> Iterator[tuple[str, str, bool]]:
    """(place, text, whether Qt guesses that it is markup) of everything below ``top``."""
    for widget in (top, *top.findChildren(QWidget)):
        name = f"{type(widget).__name__} {widget.objectName()}"
        yield f"{name} toolTip", widget.toolTip(), True
        yield f"{name} statusTip", widget.statusTip(), False
        yield f"{name} whatsThis", widget.whatsThis(), True
        yield f"{name} accessibleName", widget.accessibleName(), False
        yield f"{name} accessibleDescription", widget.accessibleDescription(), False
        yield f"{name} windowTitle", widget.windowTitle(), False
        if isinstance(widget, QLabel):
            yield f"{name} text", widget.text(), widget.textFormat() != Qt.TextFormat.PlainText
        elif callable(said := getattr(widget, "text", None)) and isinstance(told := said(), str):
            yield f"{name} text", told, False
        if isinstance(widget, QTabBar):
            for index in range(widget.count()):
                yield f"{name} tab", widget.tabText(index), False
                yield f"{name} tab tip", widget.tabToolTip(index), True
        if isinstance(widget, QComboBox):
            yield from _model_texts(f"{name} items", widget.model())
        elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from _model_texts(name, widget.model())
    for action in top.findChildren(QAction):
        yield "action", action.text(), False
        yield "action tip", action.toolTip(), True


def _model_texts(
    name: str, model: QAbstractItemModel, parent: QModelIndex | None = None, depth: int = 0
) -> Iterator[tuple[str, str, bool]]:
    parent = QModelIndex() if parent is None else parent
    for column in range(1 if isinstance(model, QAbstractListModel) else min(model.columnCount(parent), ROWS)):
        for role in ROLES if depth == 0 else ():
            text = model.headerData(column, Qt.Orientation.Horizontal, role)
            if isinstance(text, str):
                yield f"{name} header {role.name}", text, role == Qt.ItemDataRole.ToolTipRole
        for row in range(min(model.rowCount(parent), ROWS)):
            index = model.index(row, column, parent)
            for role in ROLES:
                text = model.data(index, role)
                if isinstance(text, str):
                    yield f"{name} {role.name}", text, role == Qt.ItemDataRole.ToolTipRole
            if column == 0 and depth < DEPTH:
                yield from _model_texts(name, model, index, depth + 1)
