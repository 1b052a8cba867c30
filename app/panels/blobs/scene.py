"""The strip of blobs as a scene that zooms along one axis."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.language import tr
from app.panels.blobs.draw import StripLayout, blob_name, draw_strip, draw_strip_marks, height_of, lay_out
from app.profile.popef import blob_type
from app.views.blobs.filling import Filling, pixels
from app.views.look import Look
from app.views.units import percent, size
from app.widgets.plane.scene import Bounds, Hit, Marks, PlainScene, neighbour
from app.widgets.plane.view import PlaneView

DEEPEST = 2.0**40


class StripScene(PlainScene, Struct, frozen=True, eq=False):
    """A scene whose items are blobs. ``names``: of the files."""

    strip: Filling
    names: Sequence[str]
    kind = ""

    @property
    def title(self) -> str:
        return tr("File layout")

    @property
    def shape(self) -> tuple[object, ...]:
        return (self.strip.size,)

    def whole(self) -> PlaneView:
        return PlaneView.whole(self.strip.size, 1.0, (self.strip.size / DEEPEST, 1.0))

    def lay_out(self, place: QRectF, view: PlaneView, _look: Look, metrics: QFontMetricsF) -> StripLayout:
        return lay_out(place, self.strip, view.x, metrics)

    def height(self, metrics: QFontMetricsF) -> int:
        return height_of(self.strip, metrics)

    def draw(self, painter: QPainter, layout: StripLayout, look: Look) -> None:
        draw_strip(painter, layout, self.strip, self.names, look)

    def draw_marks(self, painter: QPainter, layout: StripLayout, marks: Marks, look: Look) -> None:
        draw_strip_marks(painter, layout, self.strip, marks, look.theme)

    def item_at(self, layout: StripLayout, point: QPointF) -> int:
        """The largest blob in the pixel column under a point."""
        column = self._under(layout, point)
        return -1 if column is None else column[0]

    def describe(self, layout: StripLayout, point: QPointF, look: Look) -> str:
        column = self._under(layout, point)
        if column is None:
            return ""
        blob, count = column
        lines = [self.words(Hit(blob), look)]
        if count > 1:
            lines.append(tr("the largest of {count:,} blobs here", count=count))
        return "\n".join(lines)

    def words(self, hit: Hit, look: Look) -> str:
        blob, blobs = hit.item, self.strip.blobs
        if not 0 <= blob < len(self.strip):
            return ""
        taken, kind = int(blobs.size[blob]), blob_type(int(blobs.type[blob]))
        share = percent(100.0 * taken / max(float(blobs.size.sum(dtype="float64")), 1.0))
        lines = [
            f"{kind} {blob_name(self.strip, blob)}",
            tr(
                "{size} ({bytes:,} B), {share} of all blobs, at byte {offset:,}",
                size=size(taken, look.bytes_as),
                bytes=taken,
                share=share,
                offset=int(blobs.offset[blob]),
            ),
        ]
        return "\n".join(lines)

    def bounds(self, item: int) -> Bounds | None:
        return (*self.strip.ends(item), 0.0, 1.0) if 0 <= item < len(self.strip) else None

    def step(self, item: int, direction: int) -> int:
        return neighbour(item, direction, len(self.strip))

    def _under(self, layout: StripLayout, point: QPointF) -> tuple[int, int] | None:
        """(the largest blob, the number of blobs) in the pixel column under ``point``."""
        track = layout.plot
        if not track.contains(point):
            return None
        x = min(int(point.x() - track.left()), int(track.width()) - 1) + track.left()
        column = pixels(self.strip, layout.place_at(x), layout.place_at(x + 1), 1)
        return int(column.blob[0]), int(column.many[0])
