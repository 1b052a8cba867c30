"""Plots as picture files, drawn by the panels' own code."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

import app.document  # noqa: F401 (before the first class that is made from one of Qt's)
from app.panels.panel import PlotSpec
from app.panels.plots import PLOTS
from app.profile.profile import Profile
from app.widgets.theme import THEMES

SCALE = 2.0
"""A PNG has twice the pixels of its size, so that text stays sharp."""


def plots(profile: Profile) -> list[PlotSpec]:
    """The plots that this profile fills."""
    return [plot for plot in PLOTS if plot.offered(profile)]


def save(plot: PlotSpec, profile: Profile, path: Path, size: tuple[int, int], theme: str) -> None:
    """Writes ``plot`` as .png or .svg, ``size`` in logical pixels. OSError when it cannot be written."""
    application = QGuiApplication.instance() or _application()
    assert application is not None
    if path.suffix.lower() == ".svg":
        _save_svg(plot, profile, path, size, theme)
    else:
        _save_png(plot, profile, path, size, theme)


def _save_png(plot: PlotSpec, profile: Profile, path: Path, size: tuple[int, int], theme: str) -> None:
    image = QImage(round(size[0] * SCALE), round(size[1] * SCALE), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SCALE)
    image.fill(QColor(THEMES[theme].surface))
    with QPainter(image) as painter:
        plot.draw(painter, QRectF(0, 0, *size), profile, THEMES[theme])
    if not image.save(str(path)):
        raise OSError(f"cannot write {path.name}")


def _save_svg(plot: PlotSpec, profile: Profile, path: Path, size: tuple[int, int], theme: str) -> None:
    from PySide6.QtSvg import QSvgGenerator

    with path.open("wb"):  # QSvgGenerator is silent about a place that cannot be written
        pass
    generator = QSvgGenerator()
    generator.setFileName(str(path))
    generator.setSize(QSize(*size))
    generator.setViewBox(QRectF(0, 0, *size))
    generator.setTitle(f"{profile.name}: {plot.title}")
    with QPainter(generator) as painter:
        painter.fillRect(QRectF(0, 0, *size), QColor(THEMES[theme].surface))
        plot.draw(painter, QRectF(0, 0, *size), profile, THEMES[theme])


def _application() -> QGuiApplication:
    """An application to draw with where none runs (`export` from the command line needs no display)."""
    if sys.platform.startswith("linux"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return QGuiApplication(sys.argv[:1])
