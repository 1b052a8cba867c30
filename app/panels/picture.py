"""Exports plots as image files, drawn by the panels' own code."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from xml.sax.saxutils import escape

from PySide6.QtCore import QBuffer, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

import app.document  # noqa: F401 (must be imported before the first class derived from one of Qt's)
from app import __version__
from app.analysis.about import About, about, facts, timeline_settings
from app.language import labelled, tr
from app.panels.plots import PLOTS
from app.panels.spec import MOST_PIXELS, PlotSpec
from app.profile.profile import Profile
from app.store.outputs import refuse_input, write_output
from app.views.look import THEMES
from app.views.texts import shown_line

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

FAMILY = b'font-family="Sans Serif"', b'font-family="Sans Serif, system-ui, sans-serif"'
"""The name of a default font that only Qt knows, and what browsers know."""
_GROUP = re.compile(rb"<g [^>]*>([^<]*(?:<(?!g |/g>)[^<]*)*)</g>\n*")
"""A group that contains no other."""
_FONT = re.compile(rb'\nfont-family="[^"]*" font-size="[^"]*" font-weight="[^"]*" font-style="[^"]*" *')
RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/">'
Drawing: TypeAlias = Callable[[QPainter, QRectF], None]
SCALE = 2.0
"""A PNG has twice as many pixels as its logical size, so that text stays sharp."""


def plots(profile: Profile) -> list[PlotSpec]:
    """The plots that this profile has data for."""
    return [plot for plot in PLOTS if plot.offered(profile)]


def save(
    plot: PlotSpec,
    profile: Profile,
    path: Path,
    size: tuple[int, int],
    theme: str,
    inputs: Iterable[Path] = (),
    comparison: Comparison | None = None,
) -> None:
    """Writes ``plot`` as .png or .svg, ``size`` in logical pixels; on failure no file is left. ``comparison``: as for
    ``rendered``. OSError if it cannot be written, or if ``path`` is one of ``inputs``."""
    refuse_input(path, inputs)
    content = rendered(plot, profile, path.suffix.lower(), size, theme, comparison=comparison)
    write_output(path, content, inputs)


def rendered(
    plot: PlotSpec,
    profile: Profile,
    suffix: str,
    size: tuple[int, int],
    theme: str,
    known: About | None = None,
    comparison: Comparison | None = None,
) -> bytes:
    """``plot`` as the content of a .png or .svg file, whose metadata say what it is and where it comes from (``known``,
    else the profile). ``comparison``: that of the profile with its baseline, which is drawn too if the plot can.
    OSError if it is too large to draw."""
    if size[0] * size[1] > MOST_PIXELS:
        raise OSError(tr("the image is too large"))
    application = QApplication.instance() or _application()
    assert application is not None
    drawn = comparison if plot.compares(comparison) else None
    if known is None and drawn is not None:
        known = about(profile, drawn.before)
    head = _Head(plot, profile, known)
    draw = plot.drawing(profile, THEMES[theme], drawn)
    return _svg(draw, size, theme, head) if suffix == ".svg" else _png(draw, size, theme, head)


class _Head:
    """What the metadata of a picture say."""

    def __init__(self, plot: PlotSpec, profile: Profile, known: About | None) -> None:
        source = about(profile) if known is None else known
        settings = (*source.settings, *timeline_settings(profile.timeline))
        self.title = shown_line(labelled(profile.name, plot.title))
        self.facts = [(label, shown_line(value)) for label, value in facts(source, settings)]
        self.program = tr("Tilesight {version}", version=__version__)
        self.source = ", ".join(source.source.files)

    @property
    def description(self) -> str:
        return "\n".join(labelled(label, value) for label, value in self.facts)

    def metadata(self) -> str:
        """The element of SVG, in the terms of Dublin Core."""
        terms = {"title": self.title, "creator": self.program, "source": self.source, "description": self.description}
        lines = "".join(f"<dc:{name}>{escape(_valid(text))}</dc:{name}>" for name, text in terms.items())
        return f"<metadata>{RDF}<rdf:Description>{lines}</rdf:Description></rdf:RDF></metadata>\n"


def _valid(text: str) -> str:
    """``text`` without characters that XML cannot hold."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "\ufffd" for letter in text)


def _png(draw: Drawing, size: tuple[int, int], theme: str, head: _Head) -> bytes:
    image = QImage(round(size[0] * SCALE), round(size[1] * SCALE), QImage.Format.Format_RGB32)
    if image.isNull():
        raise OSError(tr("the image is too large"))
    image.setDevicePixelRatio(SCALE)
    image.fill(QColor(THEMES[theme].surface))
    with QPainter(image) as painter:
        draw(painter, QRectF(0, 0, *size))
    image.setText("Title", head.title)
    image.setText("Software", head.program)
    image.setText("Source", head.source)
    image.setText("Description", head.description)
    content = QBuffer()
    if not image.save(content, "PNG"):  # type: ignore[call-overload]
        raise OSError(tr("the image is too large"))
    return bytes(content.data().data())


def _svg(draw: Drawing, size: tuple[int, int], theme: str, head: _Head) -> bytes:
    from PySide6.QtSvg import QSvgGenerator

    content = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(content)
    generator.setSize(QSize(*size))
    generator.setViewBox(QRectF(0, 0, *size))
    generator.setResolution(QImage(1, 1, QImage.Format.Format_RGB32).logicalDpiX())  # texts as large as in a PNG
    generator.setTitle(head.title)
    generator.setDescription(head.description)
    with QPainter(generator) as painter:
        painter.fillRect(QRectF(0, 0, *size), QColor(THEMES[theme].surface))
        draw(painter, QRectF(0, 0, *size))
    made = _GROUP.sub(_slim, bytes(content.data().data())).replace(*FAMILY)
    return made.replace(b"</title>\n", b"</title>\n" + head.metadata().encode(), 1)


def _slim(group: re.Match[bytes]) -> bytes:
    """A group without the font that Qt states for each, unless it has texts; nothing for an empty one."""
    whole = group[0]
    return whole if b"<text" in whole else _FONT.sub(b"", whole) if group[1].strip() else b""


def _application() -> QApplication:
    """Creates an application for drawing if none runs (`export` from the command line needs no display). Charts consist
    of graphics items, which need one for widgets."""
    if sys.platform.startswith("linux"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return QApplication(sys.argv[:1])
