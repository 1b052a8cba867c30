"""What assistive tools are told of the controls: each has a name, and nothing holds markup."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QComboBox, QWidget

from app.widgets.fields import ChoiceBox
from app.window.main_window import MainWindow
from app.window.screenshot import settle
from fakes.themes import begun, panels
from journeys.families import write_all

MARKUP = re.compile(r"</?[a-z]+[ >]|&(amp|lt|gt|quot);")
CHOSEN = {
    "ascend": "tables",
    "popef": "tensors",
    "trace": "timeline",
    "plan": "onchip",
    "tensorflow": "host_events",
    "map": "tensor_map",
    "report": "heat",
}


def told(widget: QWidget) -> tuple[str, str]:
    """Name and description."""
    known = QAccessible.queryAccessibleInterface(widget)
    return known.text(QAccessible.Text.Name), known.text(QAccessible.Text.Description)


def shown(window: MainWindow) -> list[QWidget]:
    """Everything inside the window that can be seen now."""
    return [widget for widget in window.findChildren(QWidget) if widget.isVisible()]


def place(widget: QWidget) -> str:
    """The widget and what it stands in."""
    names: list[str] = []
    inside: QWidget | None = widget
    while inside is not None and len(names) < 4:
        names.append(inside.objectName() or type(inside).__name__)
        inside = inside.parentWidget()
    return " in ".join(names)


@pytest.mark.parametrize("family", CHOSEN)
def test_controls_have_names_and_texts_no_markup(family: str, tmp_path: Path, root: Path) -> None:
    path = write_all(tmp_path, root / "resources" / "samples")[family]
    nameless, marked = set(), set()
    with begun("light", path, CHOSEN[family]) as window:
        panels(window)  # deferred work of the first display is done
        for panel in window.prepare().offered:
            window.show_panel(panel)
            settle(window)
            for widget in shown(window):
                name, description = told(widget)
                focusable = widget.focusPolicy() != Qt.FocusPolicy.NoFocus or isinstance(widget, QComboBox)
                unlabelled = isinstance(widget, QComboBox) and not isinstance(widget, ChoiceBox)
                if focusable and (unlabelled or not name.strip()):
                    nameless.add(place(widget))
                if MARKUP.search(name) or MARKUP.search(description):
                    marked.add(place(widget))
    assert nameless == set()
    assert marked == set()
