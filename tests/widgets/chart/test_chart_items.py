"""Charts as pyqtgraph's items draw them: where the layout says, in our colours and widths, the same to every device."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QBuffer, QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from app.views.chart.model import Axis, Chart, LineLabel, Series, Tick
from app.views.look import DARK, LIGHT, Look
from app.widgets.chart.items import ChartAxis, ChartItems
from app.widgets.chart.scene import ChartPainter, ChartScene
from app.widgets.chart.seen import Seen
from app.widgets.plane.view import PlaneView

pytestmark = pytest.mark.usefixtures("qapp")
PLACE = QRectF(30, 20, 640, 360)
X, Y = Axis("Ops/Byte", 1, 1000, log=True), Axis("TOps/s", 1, 1000, log=True)


def series(item: int, name: str, level: float) -> Series:
    label = LineLabel(f"{name} limit", 0, "end")
    return Series(
        item, name, ((1, level), (1000, level)), ((10, level / 4),), ((30, level),), (label,), name, "50 %", ""
    )


def chart(*levels: float, heading: str = "Heading") -> Chart:
    parts = tuple(series(number, f"roof {number}", level) for number, level in enumerate(levels))
    return Chart("Chart", heading, X, Y, parts)


def seen_of(shown: Chart, place: QRectF = PLACE, view: PlaneView | None = None) -> Seen:
    scene = ChartScene(shown, ChartPainter())
    return Seen(shown, scene.lay_out(place, view or scene.whole(), Look(), QFontMetricsF(QFont())))


def painted(items: ChartItems, seen: Seen, ratio: float = 1.0, look: Look = Look()) -> QImage:  # noqa: B008
    image = QImage(round(700 * ratio), round(400 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor(look.theme.surface))
    with QPainter(image) as painter:
        items.draw(painter, seen, PLACE, look.theme)
    return image


def as_svg(items: ChartItems, seen: Seen) -> str:
    content = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(content)
    generator.setSize(QSize(700, 400))
    generator.setViewBox(QRectF(0, 0, 700, 400))
    with QPainter(generator) as painter:
        items.draw(painter, seen, PLACE, LIGHT)
    return bytes(content.data().data()).decode()


def test_the_plot_lies_where_the_layout_says() -> None:
    items, seen = ChartItems(), seen_of(chart(100))
    painted(items, seen)
    view = items.plot.vb
    assert view.mapRectToScene(view.rect()) == seen.layout.plot
    for place in ((0.0, 0.0), (1.5, 2.0), (3.0, 3.0)):
        pixel = view.mapToScene(view.mapFromView(QPointF(*place)))
        assert abs(pixel.x() - seen.at(place).x()) < 0.01
        assert abs(pixel.y() - seen.at(place).y()) < 0.01


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_lines_are_as_thick_on_every_screen(ratio: float) -> None:
    """Cosmetic pens count device pixels: at twice the resolution they were half as thick, and in an SVG that is shown
    larger they stay thin."""
    items, seen = ChartItems(), seen_of(chart(100))
    groups = [group for group in ElementTree.fromstring(as_svg(items, seen)).iter() if group.get("stroke-width") == "2"]
    lines = [line for group in groups for line in group]
    assert lines
    assert {line.get("vector-effect", "none") for line in lines} == {"none"}
    image = painted(items, seen, ratio)
    column = round((seen.layout.plot.left() + 20) * ratio)
    top, bottom = (round(edge * ratio) for edge in (seen.at((0, 2.2)).y(), seen.at((0, 1.8)).y()))
    reds = np.array([QColor(image.pixel(column, row)).red() for row in range(top, bottom)])
    cover = (255 - reds) / (255 - reds.min())
    assert cover.sum() / ratio == pytest.approx(2, abs=0.3)


def test_one_painter_draws_many_charts_and_keeps_nothing_of_the_one_before() -> None:
    items = ChartItems()
    first, second = seen_of(chart(100, 300, 30, heading="first")), seen_of(chart(50, heading="second"))
    alone = painted(ChartItems(), second)
    before = painted(items, first)
    assert painted(items, second) == alone
    assert painted(items, first) == before


def test_both_themes_have_their_own_colours() -> None:
    items, seen = ChartItems(), seen_of(chart(100))
    light, dark = painted(items, seen), painted(items, seen, look=Look(theme=DARK))
    for image, theme in ((light, LIGHT), (dark, DARK)):
        pixels = np.frombuffer(image.constBits(), np.uint32).reshape(400, 700) & 0xFFFFFF
        for token in (theme.surface, theme.line, theme.muted):
            assert (pixels == int(token[1:], 16)).any(), token


def test_what_is_written_as_svg_is_lines_and_text_inside_the_plot() -> None:
    """Picture files have no clipping: what is not seen must not be drawn at all."""
    shown = chart(100, 300)
    seen = seen_of(shown)
    text = as_svg(ChartItems(), seen)
    assert "<image" not in text
    assert "Ops/Byte" in text
    assert "roof 0 limit" in text
    whole = ChartScene(shown, ChartPainter()).whole()
    left = seen_of(shown, view=replace(whole, x=whole.x.at(0.0, 1.0), y=whole.y.at(0.0, 1.0)))
    assert [one.runs for one in left.series] == [[], []]
    assert "roof 0 limit" not in as_svg(ChartItems(), left)


def test_texts_of_files_are_text_and_no_markup() -> None:
    text = as_svg(ChartItems(), seen_of(chart(100, heading="<b>bold</b> & <img src=x>")))
    assert "&lt;b&gt;bold&lt;/b&gt;" in text


def test_pyqtgraph_has_no_menu_and_no_buttons_of_its_own() -> None:
    items = ChartItems()
    assert not items.plot.menuEnabled()
    assert not items.plot.vb.menuEnabled()
    assert items.plot.buttonsHidden
    assert items.plot.vb.mouseEnabled() == [False, False]


def test_axes_are_styled_anew_only_for_another_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their pens and letters cost as much as all else of a frame."""
    styled: list[str] = []
    set_style = ChartAxis.setStyle

    def counted(axis: ChartAxis, **style: object) -> None:
        styled.append("style")
        set_style(axis, **style)

    monkeypatch.setattr(ChartAxis, "setStyle", counted)
    items, seen = ChartItems(), seen_of(chart(100))
    counts = []
    for theme in (LIGHT, LIGHT, DARK):
        painted(items, seen, look=Look(theme=theme))
        counts.append(len(styled))
    assert counts[1] == counts[0] < counts[2]


def test_the_label_at_the_end_of_an_axis_is_inside_the_picture() -> None:
    ends = tuple(Tick(float(place), f"{place} KiB in all") for place in range(3))
    shown = Chart("Chart", "Heading", Axis("", 0.0, 2.0, named=ends), Y)
    items, seen = ChartItems(), seen_of(shown)
    image = painted(items, seen)
    axis = items.plot.getAxis("bottom")
    with QPainter(image) as painter:
        specs = axis.generateDrawSpecs(painter)
    assert specs is not None
    box, _, text = specs[2][-1]
    assert text == ends[-1].label
    right = axis.mapRectToScene(box).right()
    assert right == pytest.approx(PLACE.right(), abs=2)


def test_labels_of_named_ticks_are_evenly_spaced_from_the_first() -> None:
    edges = tuple(Tick(float(place), "0 B" if place == 0 else f"{place * 16:.1f} KiB") for place in range(41))
    items, seen = ChartItems(), seen_of(Chart("Chart", "Heading", Axis("", 0.0, 40.0, named=edges), Y))
    image = painted(items, seen)
    with QPainter(image) as painter:
        specs = items.plot.getAxis("bottom").generateDrawSpecs(painter)
    assert specs is not None
    shown = [text for _, _, text in specs[2]]
    numbers = [number for number, edge in enumerate(edges) if edge.label in shown]
    assert numbers[0] == 0
    assert len(numbers) > 3
    assert len(set(np.diff(numbers).tolist())) == 1
