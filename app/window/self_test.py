"""Draws every panel of a profile in an invisible window, for the self-test of the program."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from msgspec import Struct, field
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QApplication

from app.document.document import Document
from app.document.loader import Failure, Loader
from app.language import tr
from app.resources import resource
from app.views.look import LIGHT
from app.widgets.display import Display
from app.widgets.icons import application_icon, drawn
from app.window.main_window import MainWindow
from app.window.screenshot import read_all, settle
from app.window.settings import SettingsFile

SIZE = (1280, 800)
SIDE = 32


class SelfTestResult(Struct):
    """The result of the self-test. ``panels``: titles of the panels that were drawn; ``trouble``: one line for each
    problem."""

    panels: list[str] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)


def draw_panels(application: QApplication, paths: Sequence[Path]) -> SelfTestResult:
    """Opens ``paths`` in a window and brings each offered panel to the front. The user's settings are neither read nor
    written."""
    result = SelfTestResult()
    document = Document()
    loader = Loader(document)
    loader.failed.connect(lambda failure: result.trouble.append(_failed(failure)))
    window = MainWindow(SettingsFile())
    window.fill(loader, document, Display(parent=application))
    with _errors_into(result.trouble):
        try:
            window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
            window.resize(*SIZE)
            window.show()
            window.prepare()
            window.open(paths)
            read_all(window)
            _draw(window, result)
            window.close()
        finally:
            loader.close()
            window.deleteLater()
    return result


def drawings() -> list[str]:
    """Returns the icon files that cannot be rendered, because the file or Qt's SVG support is missing; empty if all
    is well."""
    missing: list[str] = [] if not application_icon().isNull() else [tr("the program's icon")]
    missing += [path.name for path in _drawings("icons") if _blank(drawn(path, LIGHT.text, SIDE))]
    # a style sheet reads these through Qt's own plugin
    missing += [path.name for path in _drawings("themes") if QPixmap(str(path)).isNull()]
    return missing


def _drawings(folder: str) -> list[Path]:
    return sorted(resource(folder).rglob("*.svg"))


def _draw(window: MainWindow, result: SelfTestResult) -> None:
    docks = window.prepare()
    if window.document.current is None:
        result.trouble.append(tr("nothing was opened"))
        return
    for name in docks.offered:
        window.show_panel(name)
        settle(window)
        dock = docks.docks[name]
        if _blank(dock.widget().grab()):
            result.trouble.append(tr("the panel {spec} is empty", spec=dock.spec.title))
        else:
            result.panels.append(dock.spec.title)


def _blank(picture: QPixmap) -> bool:
    """Whether all pixels are equal, or there are none."""
    image = picture.toImage().convertToFormat(QImage.Format.Format_ARGB32)
    if image.isNull():
        return True
    first = image.pixel(0, 0)
    return all(image.pixel(x, y) == first for y in range(image.height()) for x in range(image.width()))


def _failed(failure: Failure) -> str:
    return f"{', '.join(path.name for path in failure.paths)}: {failure.text}"


@contextmanager
def _errors_into(trouble: list[str]) -> Iterator[None]:
    """Adds errors raised inside slots and event handlers to ``trouble``; PySide6 reports those to sys.excepthook
    instead of raising them."""

    def take(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        before(kind, error, trace)
        trouble.append(tr("unexpected {name}: {error}", name=kind.__name__, error=error))

    before, sys.excepthook = sys.excepthook, take
    try:
        yield
    finally:
        sys.excepthook = before
