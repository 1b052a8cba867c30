"""The rows of a scene as an image of pixels, and what is wide enough to be written on."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.profile.arrays import F64, I64, U8, U32, Bool, distinct
from app.views.colours import blend, packed
from app.views.timeline.bands import Band
from app.views.timeline.colouring import WAITING
from app.views.timeline.cover import FULL, NOWHERE, Pixels, Placed, Raster
from app.views.timeline.layout import SPARED, Layout
from app.views.timeline.raster import DENSE, Picture, Renderer, Strips, shaded
from app.views.timeline.scene import Box, Scene

MOST_ROWS_FOLDED = 1024
"""So many rows of a folded process are drawn; looking at all of a huge one would cost frames."""
LABEL_WIDTH = 30.0
"""Logical pixels a slice must be wide to be written on."""
COUNTER_PAD = 4
UNDERLINED = 10
"""Logical pixels that a row must be high for its selected slices to be underlined."""
STRIPES = 6
"""Logical pixels from one stripe to the next: rising through slices that only one side of a comparison has, falling
through slices that wait."""
RIM = 2
"""Logical pixels of that line."""


class Lines(Struct, frozen=True, eq=False):
    """``strips``: the rows in sight; ``line``: int64[height], which strip each pixel line of the picture shows, or
    ``strips.count`` where it shows none; ``top``, ``height``: int64[strips.count], where a row stands in the
    picture (height 0: it is folded, nothing is written on it)."""

    strips: Strips
    line: I64
    top: I64
    height: I64


def lines(layout: Layout, top: int, height: int) -> Lines:
    """What each pixel line of a picture from ``top`` on shows. One line between two rows stays empty where rows
    are high enough to spare it."""
    rows: list[I64] = []
    strip: list[I64] = []
    tops: list[I64] = []
    heights: list[I64] = []
    line = np.full(height, -1, np.int64)
    count = 0
    for band in layout.in_view(top, height):
        if not band.rows:
            continue
        edge, begin = layout.edge(band.y), layout.line(band.rows_y, top)
        if band.folded:
            shown = min(band.rows, MOST_ROWS_FOLDED)
            used = min(shown, band.row_height)
            rows.append(band.first_row + np.arange(shown))
            strip.append(count + np.arange(shown) * used // shown)
            place = np.arange(band.row_height) * used // band.row_height
        else:
            first = max(0, (edge - begin) // band.row_height)
            last = min(band.rows, -(-(height - begin) // band.row_height))
            begin += first * band.row_height
            used = max(last - first, 0)
            rows.append(band.first_row + np.arange(first, first + used))
            strip.append(count + np.arange(used))
            place = np.repeat(np.arange(used), band.row_height)
            if band.row_height >= SPARED:
                place[band.row_height - 1 :: band.row_height] = -1
        row_tops = begin + np.arange(used) * (0 if band.folded else band.row_height)
        cut = (row_tops < edge) & (edge > 0)  # reaches under the pinned lanes: nothing is written on it
        tops.append(row_tops)
        heights.append(np.where(cut, 0, 0 if band.folded else band.row_height))
        a, b = max(begin, edge), min(begin + len(place), height)
        if b > a:
            line[a:b] = np.where(place[a - begin : b - begin] >= 0, place[a - begin : b - begin] + count, -1)
        count += used
    none = np.empty(0, np.int64)
    strips = Strips(np.concatenate([none, *rows]), np.concatenate([none, *strip]), count)
    return Lines(
        strips, np.where(line < 0, count, line), np.concatenate([none, *tops]), np.concatenate([none, *heights])
    )


class Labels(Struct, frozen=True, eq=False):
    """Slices to write on: ``index``: int64; ``slot``: uint8 (0: one that recedes); ``x``, ``y``, ``width``, ``height``:
    float64 logical pixels of the part in sight, from the corner of the body."""

    index: I64
    slot: U8
    x: F64
    y: F64
    width: F64
    height: F64


class Body(Struct, frozen=True, eq=False):
    """``image``: uint32[height, width] as 0xffRRGGBB, contiguous; ``labels``; ``wide``: slices that can be
    distinguished (logical pixels) and ``lines``, for drawings that want rectangles; ``alone``: those of them that only
    one side of a comparison has."""

    image: U32
    labels: Labels
    wide: Placed
    lines: Lines
    alone: Placed


def draw_body(scene: Scene, ratio: float, ticks: tuple[float, ...] = ()) -> Body:
    """The picture of all rows in sight. ``ratio``: pixels to a logical one; ``ticks``: moments with a grid line."""
    height = int(scene.body.height)
    pixels = scene.pixels(ratio)
    seen = lines(scene.layout, scene.view.top, height)
    picture = with_moments(scene, scene.renderer.render(seen.strips, pixels), seen.strips)
    forward = scene.forward
    shades = scene.shades
    colours = shaded(picture, shades.table if forward is None else shades.pale)
    waits = [(picture.raster.slot == WAITING, shades.stripes if forward is None else shades.pale_stripes)]
    if forward is not None:
        over = with_moments(scene, forward.render(seen.strips, pixels), seen.strips)
        lay_over(colours, over, shades.table)
        waits = [
            (waits[0][0] & (over.raster.slot == 0), shades.pale_stripes),
            (over.raster.slot == WAITING, shades.stripes),
        ]
    blank = np.full((1, pixels.width), packed(scene.theme.surface), np.uint32)
    rows = np.concatenate((colours, blank))
    line = seen.line if ratio == 1 else seen.line[scaled_lines(height, ratio)]
    image = rows.take(line, 0)
    for there, colour in waits if scene.model.waits else ():
        stripe(image, there, line, ratio, packed(colour), falling=True)
    if scene.chosen is not None:
        underline(image, scene.chosen.render(seen.strips, pixels), seen, line, ratio, packed(scene.theme.selection))
    alone = NOWHERE
    if scene.alone is not None:
        only_here = scene.alone.render(seen.strips, pixels)
        hatch(image, only_here, seen, line, ratio, (packed(scene.theme.surface), packed(edge_of_alone(scene))))
        alone = logical(only_here, ratio, scene.alone)
    draw_grid(image, scene, pixels, ticks)
    for band in scene.layout.in_view(scene.view.top, height):
        if band.kind == "counter":
            draw_counter(image, scene, band, pixels, ratio)
    shown = scene.renderer if scene.hits is None else scene.hits
    wide = logical(picture if scene.hits is None else scene.hits.render(seen.strips, pixels), ratio, shown)
    return Body(image, labels_of(scene, wide, seen), wide, seen, alone)


def with_moments(scene: Scene, picture: Picture, strips: Strips) -> Picture:
    """The picture with whole pixels where there are instants alone, which have no length to fill any."""
    lines = distinct(strips.strip[scene.model.moments[strips.rows]])
    if not len(lines):
        return picture
    cover = picture.raster.cover.copy()
    cover[lines] = np.where(picture.raster.slot[lines] > 0, FULL, 0)
    return replace(picture, raster=Raster(picture.raster.slot, cover))


def scaled_lines(height: int, ratio: float) -> I64:
    """Which logical line each pixel line belongs to."""
    return np.minimum((np.arange(round(height * ratio)) / ratio).astype(np.int64), height - 1)


def lay_over(colours: U32, picture: Picture, table: U32) -> None:
    """Writes what ``picture`` shows over ``colours``, leaving the rest."""
    there = picture.raster.slot > 0
    colours[there] = shaded(picture, table)[there]


def underline(image: U32, chosen: Picture, seen: Lines, line: I64, ratio: float, colour: int) -> None:
    """A line of ``colour`` at the foot of the slices of ``chosen``, which keep their colours: where all are selected
    it is the only sign of it. ``line``: int64[height], the strip of each pixel line."""
    count, rim = seen.strips.count, max(1, round(RIM * ratio))
    after = np.concatenate((line[rim:], line[-rim:]))  # a row that goes on below the picture has its foot there
    high = np.append(seen.height >= UNDERLINED, False)
    for y in np.flatnonzero((line < count) & (after != line) & high[line]).tolist():
        image[y, chosen.raster.slot[line[y]] > 0] = colour


def edge_of_alone(scene: Scene) -> str:
    """The colour of the line over slices that only one side of a comparison has: what is only in the baseline is less,
    what is only in the comparison more."""
    return scene.theme.less if scene.less_alone else scene.theme.more


def hatch(image: U32, alone: Picture, seen: Lines, line: I64, ratio: float, colours: tuple[int, int]) -> None:
    """Stripes through the slices of ``alone`` in the first colour, and a line over them in the second. ``line``:
    int64[height], the strip of each pixel line."""
    stripes, edge = colours
    there: Bool = alone.raster.slot > 0
    stripe(image, there, line, ratio, stripes)
    rim = max(1, round(RIM * ratio))
    top: Bool = np.asarray(np.concatenate((np.full(rim, -2), line[:-rim])) != line)
    high: Bool = np.append(seen.height >= UNDERLINED, False)[line]
    for y in np.flatnonzero(top & high).tolist():
        image[y, there[line[y]]] = edge


def stripe(image: U32, there: Bool, line: I64, ratio: float, colour: int, *, falling: bool = False) -> None:
    """Draws stripes through the pixels in ``there`` (bool[strips, width]). ``line``: int64[height], the strip of each
    pixel line."""
    there = np.concatenate((there, np.zeros((1, image.shape[1]), np.bool_)))
    strips: Bool = np.asarray(there.any(axis=1))
    rows = np.flatnonzero(strips[line])
    if not len(rows):
        return
    period = max(2, round(STRIPES * ratio))
    down = np.arange(period)[:, None]
    places = np.arange(image.shape[1]) + (-down if falling else down)
    diagonal: Bool = np.asarray(places % period < max(1, round(ratio)))
    part = image[rows]
    part[there[line[rows]] & diagonal[rows % period]] = colour
    image[rows] = part


def logical(picture: Picture, ratio: float, renderer: Renderer) -> Placed:
    """The wide slices in logical pixels, numbered among all slices."""
    wide = picture.wide
    index = wide.index
    origin = renderer.rows.origin
    if origin is not None:
        index = origin[index]
    return Placed(index, wide.strip, wide.left / ratio, wide.right / ratio)


def labels_of(scene: Scene, wide: Placed, seen: Lines) -> Labels:
    """Which slices have room for a text, and where."""
    left = np.maximum(wide.left, 0.0)
    right = np.minimum(wide.right, scene.body.width)
    keep = (right - left >= LABEL_WIDTH) & (seen.height[wide.strip] > 0)
    index, strip = wide.index[keep], wide.strip[keep]
    height = seen.height[strip].astype(np.float64)
    slot = scene.colours.slot(index)
    if scene.hits is None and scene.chosen is not None:
        slot[~scene.chosen.rows.holds(index)] = 0
    return Labels(
        index,
        slot,
        left[keep],
        seen.top[strip].astype(np.float64),
        (right - left)[keep],
        height,
    )


def draw_grid(image: U32, scene: Scene, pixels: Pixels, ticks: tuple[float, ...]) -> None:
    """A faint line through empty places at each tick."""
    surface = packed(scene.theme.surface)
    line = packed(blend(scene.theme.surface, scene.theme.line, 0.55))
    for tick in ticks:
        x = int((tick - pixels.start) / pixels.step)
        if 0 <= x < pixels.width:
            column = image[:, x]
            column[column == surface] = line


def draw_counter(image: U32, scene: Scene, band: Band, pixels: Pixels, ratio: float) -> None:
    """A counter as an area under its largest values, with a line on top; where it has no value it stays empty."""
    track = scene.tracks[band.index]
    values = track.columns(pixels)
    top = round((scene.layout.line(band.y, scene.view.top) + COUNTER_PAD) * ratio)
    height = max(1, round((band.height - 2 * COUNTER_PAD) * ratio))
    range_ = track.high - track.low
    share = (values - track.low) / range_ if range_ > 0 else np.where(np.isnan(values), np.nan, 0.0)
    level = np.where(np.isnan(share), -1, np.ceil(np.nan_to_num(share) * (height - 1))).astype(np.int64)
    accent = scene.theme.accent
    first, last = max(top, round(scene.layout.edge(band.y) * ratio)), min(top + height, len(image))
    if last <= first:
        return
    up = (top + height - 1 - np.arange(first, last))[:, None]
    part = image[first:last]
    part[up < level] = packed(blend(scene.theme.surface, accent, 0.35))
    part[up == level] = packed(accent)
    steps = np.flatnonzero((level[1:] >= 0) & (level[:-1] >= 0) & (np.abs(np.diff(level)) > 1))
    low, high = np.minimum(level[steps], level[steps + 1]), np.maximum(level[steps], level[steps + 1])
    risers = (up > low) & (up < high)
    part[:, steps + 1] = np.where(risers, np.uint32(packed(accent)), part[:, steps + 1])


NARROW = 6.0
"""Pixels: an outline leaves nothing to be seen of a narrower slice."""
NEAR = 3.0
"""Pixels between two outlines that would touch."""


class Several(Struct, frozen=True, eq=False):
    """Slices (int64, rising) as a mark, which is compared by identity: there can be a million."""

    index: I64


def outermost(borders: I64, count: int) -> I64:
    """int64, rising: the first and the last two of the items of each stretch of [0, count) between ``borders``
    (rising), and the second item of all. Of slices by pixels, the others are narrow and touch the one before, so that
    no outline begins or ends there: the last of a pixel may be a wide one, and so may the first, which enters from the
    left."""
    bounds = np.concatenate(([0], borders, [count]))
    first, last = bounds[:-1], bounds[1:] - 1
    full = last >= first
    ends = (first[full], np.maximum(last[full] - 1, first[full]), last[full])
    return distinct(np.concatenate((*ends, [min(1, count - 1)])))


def outlined(scene: Scene, index: I64) -> list[Box]:
    """Boxes around the slices ``index`` (rising) that are in sight; not more than there are pixels. Looks at no more
    than a few slices for each."""
    rows, view = scene.model.rows, scene.view
    seen = distinct(lines(scene.layout, view.top, int(scene.body.height)).strips.rows)
    low, high = rows.windows(seen, view.start, view.end)
    first, after = np.searchsorted(index, low), np.searchsorted(index, high)
    edges = scene.pixels().edges()[1:-1]
    boxes: list[Box] = []
    for row in np.flatnonzero(after > first).tolist():
        held = index[first[row] : after[row]]
        if len(held) > DENSE * len(edges):
            borders = low[row] + np.searchsorted(rows.start[low[row] : high[row]], edges)
            held = held[outermost(np.searchsorted(held, borders), len(held))]
        place = scene.slice_box(int(held[0]))
        if place is None:
            continue
        left = scene.all_near_x(rows.start[held])
        right = np.maximum(scene.all_near_x(rows.start[held] + rows.duration[held]), left + 1)
        wide = right - left >= NARROW
        alone = wide | np.concatenate(([True], wide[:-1])) | np.concatenate(([True], left[1:] - right[:-1] >= NEAR))
        begins = np.flatnonzero(alone)
        ends = np.maximum.reduceat(right, begins)
        boxes += [
            Box(a, place.y, b - a, place.height) for a, b in zip(left[begins].tolist(), ends.tolist(), strict=True)
        ]
    return boxes
