"""Opens files in the real window, brings every panel to the front, and prints what a person can read there and is no
marked text: ``python pseudo_window.py FILE ...`` in the language for tests."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTabBar,
    QWidget,
)

from app.document.document import Document
from app.document.loader import Loader
from app.widgets.display import Display
from app.window.application import make_application, quieten
from app.window.main_window import MainWindow
from app.window.screenshot import read_all, settle
from app.window.settings import SettingsFile

FORMS = {"Form", "averageGroup", "decimateGroup", "transformGroup", "alphaGroup", "gridGroup", "pointsGroup"}


def main(files: list[str]) -> None:
    quieten()
    application = make_application()
    document = Document()
    loader = Loader(document)
    window = MainWindow(SettingsFile())
    window.fill(loader, document, Display(parent=application))
    window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    window.resize(1280, 800)
    window.show()
    docks = window.prepare()
    seen = set(texts(window))
    for file in files:
        window.open([Path(file)])
        read_all(window)
        for name in docks.offered:
            window.show_panel(name)
            settle(window)
        seen.update(texts(window))
    seen.update(text for command in window.commands for text in (command.text, command.help, command.submenu))
    window.close()
    loader.close()
    json.dump(sorted(text for text in seen if text), sys.stdout)


def texts(window: QWidget) -> Iterator[str]:
    """Of all widgets of the window, whether they are in front or not."""
    for widget in [window, *window.findChildren(QWidget)]:
        if widget.window() is window and not of_pyqtgraph(widget):
            yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(), widget.windowTitle())
            yield from own(widget)


def of_pyqtgraph(widget: QWidget | None) -> bool:
    """Whether it belongs to a form of pyqtgraph's own menus, which never show."""
    while widget is not None and widget.objectName() not in FORMS:
        widget = widget.parentWidget()
    return widget is not None


def own(widget: QWidget) -> Iterator[str]:
    """What the kind of widget shows."""
    match widget:
        case QLabel() | QAbstractButton():
            yield widget.text()
        case QLineEdit():
            yield widget.placeholderText()
        case QGroupBox():
            yield widget.title()
        case QComboBox():
            yield from (widget.itemText(place) for place in range(widget.count()))
        case QTabBar():
            yield from (widget.tabText(place) for place in range(widget.count()))
        case QHeaderView() if widget.orientation() == Qt.Orientation.Horizontal and not widget.isHidden():
            for section in range(widget.count()):
                for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                    text = widget.model().headerData(section, widget.orientation(), role)
                    yield text if isinstance(text, str) else ""


if __name__ == "__main__":
    main(sys.argv[1:])
