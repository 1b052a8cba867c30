"""A timeline as a picture for a file: the painting code of the screen, all of it in sight."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPaintEngine, QPainter, QPen

from app.language import plural
from app.profile.timeline import Timeline
from app.views.look import Look
from app.views.texts import shown_line
from app.views.timeline import view as views
from app.views.timeline.legend_entries import entries
from app.views.timeline.model import Model
from app.views.timeline.scene import Place, Scene
from app.views.timeline.state import Shown
from app.widgets.texts import advance
from app.widgets.timeline.labels import LabelCache
from app.widgets.timeline.legend import paint_legend
from app.widgets.timeline.marks import Marks, paint_marks
from app.widgets.timeline.painting import paint_data

LEGEND = 24
VECTOR_RATIO = 2.0
"""Pixels to a point of what stays an image in a vector picture: slices too narrow to be distinguished."""


def draw_timeline(painter: QPainter, place: QRectF, timeline: Timeline, look: Look) -> None:
    """The whole timeline. Rows are as high as lets all lanes fit; where they cannot, processes are
    folded, and what still has no room is counted."""
    width, height = int(place.width()), int(place.height()) - LEGEND
    draw_timeline_of(painter, place, Shown(Model.of(timeline), look, Place(max(width, 1), max(height, 1))))


def draw_timeline_of(painter: QPainter, place: QRectF, shown: Shown) -> None:
    """The same of a timeline that is not on a canvas."""
    arrange_whole(shown, int(place.width()), int(place.height()) - LEGEND, painter.fontMetrics().height())
    draw_scene(painter, place, shown.scene(), Marks())


def arrange_whole(shown: Shown, width: int, height: int, text: int) -> None:
    """Brings all of a timeline into a picture of this size (pixels); ``text``: the height of a line."""
    shown.lanes.resize(max(width, 1), max(height, 1))
    shown.set_text(text)
    shown.lanes.fold_all(False)
    shown.lanes.set_rows("picture")
    if shown.layout.height > shown.place.body.height:
        shown.lanes.fold_all(True)
    while shown.contents.work():
        pass
    shown.navigation.show(views.whole(shown.bounds))


def draw_view(painter: QPainter, place: QRectF, shown: Shown, marks: Marks, look: Look) -> None:
    """The part that is in view, as it is: rows where they stand, what is left out, selection, range and notes."""
    scene = scene_for(shown, int(place.width()), int(place.height()) - LEGEND, look)
    draw_scene(painter, place, scene, marks)


def scene_for(shown: Shown, width: int, height: int, look: Look) -> Scene:
    """The part that is in view as a picture of this size."""
    shades = shown.shades if look.theme == shown.look.theme else shown.shades_of(look.theme)
    return replace(
        shown.scene(),
        place=replace(shown.place, width=max(width, 1), height=max(height, 1)),
        theme=look.theme,
        look=look,
        shades=shades,
    )


def draw_scene(painter: QPainter, place: QRectF, scene: Scene, marks: Marks, *, legend: bool = True) -> None:
    """A scene with its marks and legend into ``place``; LEGEND pixels of it are for the legend."""
    device = painter.device()
    vector = painter.paintEngine().type() in (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)
    ratio = VECTOR_RATIO if vector else float(device.devicePixelRatioF())
    painter.save()
    painter.setClipRect(place)
    painter.translate(place.topLeft())
    labels = LabelCache(painter.font())
    paint_data(painter, scene, labels, ratio, vector=vector)
    paint_marks(painter, scene, marks)
    if legend:
        bottom = QRectF(0, scene.place.height, scene.place.width, place.height() - scene.place.height)
        painter.fillRect(bottom, QColor(scene.theme.surface))
        listed = entries(scene.model, scene.colours, scene.shades, scene.look, path=scene.path is not None)
        paint_legend(painter, bottom, listed, scene.theme, scene.only_slots)
    say_hidden(painter, scene)
    painter.restore()


def say_hidden(painter: QPainter, scene: Scene) -> None:
    """How many lanes had no room."""
    bottom = scene.view.top + scene.body.height
    place = scene.layout.lane_bands.place
    below = int((scene.layout.bands.y[place[place >= 0]] >= bottom).sum())
    if not below or scene.view.top:
        return
    text = plural(
        "{count:,} more lane is not in this image",
        "{count:,} more lanes are not in this image",
        count=below,
    )
    metrics = QFontMetrics(painter.font())
    box = QRectF(0, scene.place.height - metrics.height() - 8, advance(text, metrics) + 24, metrics.height() + 8)
    painter.fillRect(box, QColor(scene.theme.raised))
    painter.setPen(QPen(QColor(scene.theme.text)))
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), shown_line(text))
