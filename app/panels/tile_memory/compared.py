"""What the panel shows of the tiles of two profiles: the baseline as an outline, or the difference. No widgets."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.bins import Bins, bins, bins_of_both, table, table_of_both
from app.analysis.compare.tiles import PartPair, PlacesCompared, ipus_compared, largest_first, tiles_compared
from app.analysis.table import Table
from app.analysis.tile_figures import SHARED, Content
from app.language import labelled, plural, tr
from app.panels.tile_memory.picture import COLOURS, IPU_LIMIT, LIMIT_NAME, MOST_LAYERS, TILES, fullest
from app.profile.arrays import F64, I64, Array
from app.views.axis import TileAxis
from app.views.chart.histogram import HistogramPicture
from app.views.differences import ONLY_BASELINE, ONLY_COMPARISON, compared_with
from app.views.heat.diverging import diverging_scale
from app.views.heat.pyramid import Pyramid
from app.views.heat.scale import Scale, scale_of
from app.views.look import Look
from app.views.plot import GAPS, OTHERS, Limit, PlotPicture, Sides, difference_plot, plot_picture
from app.views.tile_memory.places import Places, View, places_of
from app.views.units import change, format_value
from app.widgets.floor.scene import FloorPicture
from app.widgets.heat.picture import Both, HeatPicture
from app.widgets.plot.outline import Flag

UP, DOWN = tr("largest increase"), tr("largest decrease")
BASELINE_LIMIT = tr("Memory of a tile, baseline")
BASELINE_IPU_LIMIT = tr("Memory of an IPU, baseline")


class Compared(Struct, frozen=True, eq=False, dict=True):
    """A figure of two profiles. ``difference``: shows differences; ``per_tile``: sums over tiles are divided by their
    number, which is another one on each side."""

    before: Content
    after: Content
    tiles: PlacesCompared
    difference: bool
    per_tile: bool = False

    def places(self, view: View) -> Places:
        return places_of(self.amounts(-1), self.after.per_ipu or self.before.per_ipu, view)

    def bars(self, where: Places, *, limit: bool, lines: bool) -> PlotPicture:
        joined = len(where.first) - 1 != len(self.tiles.after)
        whole = ipus_compared(self.before, self.after, per_tile=self.per_tile) if joined else self.tiles
        order = np.arange(len(whole.after)) if joined else where.tiles
        parts = self._layers(whole)
        summed = joined and not self.per_tile
        title = self.after.title_by_ipu if summed else self.after.title
        clock = None if summed and self.after.adds_up else self.after.clock_hz  # cycles of several tiles: no duration
        sides = Sides(
            whole.before[order],
            whole.after[order],
            whole.only_before[order],
            whole.only_after[order],
            tuple((part.before[order], part.after[order]) for part in parts),
        )
        colours = tuple(COLOURS[part.key] for part in parts if part.key in COLOURS)
        names, helps = tuple(part.title for part in parts), tuple(part.help for part in parts)
        colours = colours if len(colours) == len(parts) else ()
        if self.difference:
            return difference_plot(
                *(_difference_of(title), self.after.unit, where.axis, names, sides),
                colours=colours if len(parts) > 1 else (),
                clock_hz=clock,
                lines=lines,
                helps=helps,
            )
        own, other = (self._limit(content, summed) if limit else None for content in (self.after, self.before))
        return plot_picture(
            *(title, self.after.unit, where.axis, [(part.title, part.after[order]) for part in parts]),
            limit=own,
            colours=colours,
            clock_hz=clock,
            lines=lines,
            helps=helps,
            sides=sides,
            baseline_limit=None
            if other is None or (own is not None and own.value == other.value)
            else Limit(other.value, BASELINE_IPU_LIMIT if summed else BASELINE_LIMIT),
        )

    def flags(self, where: Places, picture: PlotPicture) -> tuple[Flag, ...]:
        """The fullest place of either side; of differences none, as what they say is another thing."""
        if self.difference or picture.sides is None:
            return ()
        limited = bool(self.after.limit)
        own = fullest(picture, where, picture.sides.after, limited=limited)
        other = fullest(picture, where, picture.sides.before, limited=limited, baseline=True)
        same = own is not None and other is not None and own.place == other.place
        return tuple(flag for flag in (own, None if same else other) if flag is not None)

    def _layers(self, whole: PlacesCompared) -> list[PartPair]:
        parts = list(whole.parts)
        if self.after.id not in ("category", SHARED):
            return parts
        if self.difference:  # of gaps as well
            return largest_first(parts, MOST_LAYERS, OTHERS, by_difference=True)
        unused = [part for part in parts if part.title == GAPS]
        return largest_first([part for part in parts if part.title != GAPS], MOST_LAYERS, OTHERS) + unused

    def _limit(self, content: Content, summed: bool) -> Limit | None:
        value = (content.limit or 0) * (content.per_ipu if summed else 1)
        return Limit(value, IPU_LIMIT if summed else LIMIT_NAME) if value else None

    def histogram(self, part: int, *, limit: bool) -> HistogramPicture | None:
        title, before, after = self._part(part)
        content, binary = self.after, self.after.unit == "B"
        if self.difference:
            made = bins(after - before, binary=binary)
            if made is None:
                return None
            return HistogramPicture(
                _difference_of(title), made, content.unit, TILES, clock_hz=content.clock_hz, signed=True
            )
        line = Limit(content.limit, LIMIT_NAME) if limit and content.limit and part < 0 else None
        both = bins_of_both(before, after, top=None if line is None else line.value, binary=binary)
        if both is None:
            return None
        return HistogramPicture(title, both[0], content.unit, TILES, line, content.clock_hz, both[1])

    def histogram_table(self, part: int, *, limit: bool) -> Table | None:
        picture = self.histogram(part, limit=limit)
        if picture is None:
            return None
        own: Bins = picture.bins
        if picture.baseline is None:
            return table(picture.title, own, self.after.unit, TILES)
        return table_of_both(picture.title, own, picture.baseline, self.after.unit, TILES)

    def floor(self, part: int) -> FloorPicture:
        title, before, after = self._part(part)
        values = (after - before if self.difference else after)[None, :]
        scale: Scale = diverging_scale(values) if self.difference else scale_of(values)

        def both(_: int, tile: int) -> Both:
            return _known(before[tile]), _known(after[tile])

        title = _difference_of(title) if self.difference else title
        axis = TileAxis(len(after), group=self.after.per_ipu)
        pyramid, clock = Pyramid(values, scale), self.after.clock_hz
        heat = HeatPicture(title, pyramid, self.after.unit, "", lambda _: title, axis, clock, both=both)
        return FloorPicture(heat, self.after.per_ipu)

    def amounts(self, part: int) -> F64:
        _, before, after = self._part(part)
        return after - before if self.difference else after

    def words(self, part: int, tiles: I64, of: str, look: Look) -> str:
        """Sum (or mean) on both sides, the fullest tile of each, and the tiles that changed most."""
        title, before, after = self._part(part)
        if len(tiles) == 1:
            return f"{title}, {self._of_tile(int(tiles[0]), before, after, look)}"
        own = np.zeros(len(after), np.bool_)
        own[tiles] = True
        if of == "":
            own[:] = True
        count = plural("{count:,} tile{of}", "{count:,} tiles{of}", count=len(tiles), of=of)
        texts = [count, self._sums(before[own], after[own], look)]
        texts += [
            tr("fullest {fullest}", fullest=self._fullest(np.where(own, after, np.nan), look)),
            tr("baseline's fullest {fullest}", fullest=self._fullest(np.where(own, before, np.nan), look)),
        ]
        texts += self._extremes(np.where(own, after - before, np.nan), look)
        alone = (self.tiles.only_before & own, ONLY_BASELINE), (self.tiles.only_after & own, ONLY_COMPARISON)
        texts += [
            plural("{count:,} tile {where}", "{count:,} tiles {where}", count=int(places.sum()), where=where)
            for places, where in alone
            if bool(places.any())
        ]
        return " · ".join(text for text in texts if text)

    def _sums(self, before: F64, after: F64, look: Look) -> str:
        known = [side[~np.isnan(side)] for side in (before, after)]
        if not all(len(side) for side in known):
            return ""
        mean = self.per_tile or not self.after.adds_up
        amounts = [float(side.mean() if mean else side.sum()) for side in known]
        what = tr("mean") if mean else tr("sum")
        clock = self.after.clock_hz if mean else None
        shown = format_value(_whole(amounts[1]), self.after.unit, look, clock)
        sides = compared_with(amounts[0], amounts[1], self.after.unit, look, clock)
        return f"{what} {shown}, {sides}"

    def _of_tile(self, tile: int, before: F64, after: F64, look: Look) -> str:
        sides = Sides(before, after, self.tiles.only_before, self.tiles.only_after)
        words = sides.words(tile, self.after.unit, look, self.after.clock_hz, signed=self.difference)
        return tr("tile {tile:,}: {words}", tile=tile, words=words)

    def _fullest(self, amounts: F64, look: Look) -> str:
        if bool(np.isnan(amounts).all()):
            return tr("no data")
        tile = int(np.nanargmax(amounts))
        amount = format_value(_whole(float(amounts[tile])), self.after.unit, look, self.after.clock_hz)
        return tr("tile {tile:,}: {amount}", tile=tile, amount=amount)

    def _extremes(self, difference: F64, look: Look) -> list[str]:
        """The largest increase and decrease, where there are any."""
        if bool(np.isnan(difference).all()):
            return []
        if not np.nan_to_num(difference).any():
            return [tr("no tile differs")]
        texts: list[str] = []
        for words, tile in ((UP, int(np.nanargmax(difference))), (DOWN, int(np.nanargmin(difference)))):
            amount = float(difference[tile])
            if (amount > 0 and words is UP) or (amount < 0 and words is DOWN):
                shown = change(_whole(amount), self.after.unit, look, self.after.clock_hz)
                texts.append(tr("{words} on tile {tile:,}: {change}", words=words, tile=tile, change=shown))
        return texts

    def _part(self, part: int) -> tuple[str, F64, F64]:
        """(title, before, after) of a part, or of all."""
        if not 0 <= part < len(self.tiles.parts):
            return self.after.title, self.tiles.before, self.tiles.after
        own = self.tiles.parts[part]
        return labelled(self.after.title, own.title), own.before, own.after


def compared(before: Content, after: Content, *, difference: bool, per_tile: bool) -> Compared:
    """The figure of both."""
    return Compared(before, after, tiles_compared(before, after), difference, per_tile)


def _difference_of(title: str) -> str:
    return tr("{title}: difference from the baseline", title=title)


def _known(amount: Array) -> float | int | None:
    value = float(amount)
    return None if np.isnan(value) else _whole(value)


def _whole(amount: float) -> float | int:
    return int(amount) if amount.is_integer() else amount
