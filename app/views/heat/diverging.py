"""Maps signed differences to colours on both sides of zero.

A cell is one byte: 0 no data, 1 zero, 2n the n-th step below zero, 2n + 1 the n-th above it; so the maximum of several
codes is the code of the largest difference in either direction, and a small difference is never drawn like zero.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, U8, U32, Array, sealed
from app.views.colours import rgb
from app.views.heat.pyramid import BAND_CELLS, Grid
from app.views.heat.scale import BLOCK, NO_DATA, ZERO
from app.views.look import Theme

STEPS = 127
"""Colours of each direction."""
FAINTEST = 0.22
"""Where the colours of each direction begin between zero and the end: the least difference is seen."""
CLIPPED = 4.0
"""The scale ends at the 99th percentile of the differences where the largest is more than so many times that."""
PERCENTILE = 99.0
SAMPLE = 1 << 20
DECADES = 1e-6


class DivergingScale(Struct, frozen=True):
    """Maps differences from -``high`` to ``high`` to the colours, linearly or logarithmically from ``least`` on; those
    beyond have the colour of the end. ``clipped``: whether there are any."""

    high: float
    log: bool = False
    least: float = 0.0
    clipped: bool = False

    @property
    def low(self) -> float:
        return -self.high

    @property
    def signed(self) -> bool:
        """Whether amounts below zero are data."""
        return True

    def codes(self, values: Array) -> U8:
        """The codes of ``values``: uint8 of the same shape. NaN is no data."""
        flat = np.ascontiguousarray(values).reshape(-1)
        codes = np.empty(len(flat), np.uint8)
        for start in range(0, len(flat), BLOCK):
            codes[start : start + BLOCK] = self._block(flat[start : start + BLOCK])
        return codes.reshape(values.shape)

    def code(self, value: float) -> int:
        """The code of one difference."""
        return int(self._block(np.array([value], np.float64))[0])

    def value(self, share: float) -> float:
        """The difference at a position on the colour scale, 0..1, with zero in the middle."""
        place = 2 * share - 1
        if not self.log or not place:
            return self.high * place
        return math.copysign(self.least * (self.high / self.least) ** abs(place), place)

    def ramp(self, theme: Theme) -> F64:
        """float64[2 * STEPS, 3]: the colours from the lowest to the highest, 0..255."""
        return np.concatenate((_towards(theme.zero, theme.less)[::-1], _towards(theme.zero, theme.more)))

    def lookup(self, theme: Theme) -> U32:
        """uint32[256]: premultiplied ARGB of each code; no data is transparent (the background shows through)."""
        colours = np.zeros((256, 3), np.float64)
        colours[ZERO] = rgb(theme.zero)
        colours[2::2] = _towards(theme.zero, theme.less)
        colours[3::2] = _towards(theme.zero, theme.more)
        whole = np.rint(colours).astype(np.uint32)
        packed = (0xFF << 24) | (whole[:, 0] << 16) | (whole[:, 1] << 8) | whole[:, 2]
        packed[NO_DATA] = 0
        return packed.astype(np.uint32)

    def _block(self, values: Array) -> U8:
        sizes = np.abs(values.astype(np.float32))
        with np.errstate(all="ignore"):
            if self.log:
                width = max(math.log(self.high / self.least), 1e-12)
                places = (np.log(sizes) - math.log(self.least)) * ((STEPS - 1) / width) + 1
            else:
                places = np.ceil(sizes * np.float32(STEPS / self.high))
            steps = np.fmin(np.fmax(places, 1), STEPS).astype(np.uint8)
        codes = 2 * steps + (values > 0)
        codes[sizes == 0] = ZERO
        codes[np.isnan(sizes)] = NO_DATA
        return np.asarray(codes, np.uint8)


def diverging_scale(values: Grid, *, log: bool = False) -> DivergingScale:
    """A scale around zero that a few extreme differences do not stretch."""
    high, sample = 0.0, []
    rows, columns = values.shape
    band = max(1, BAND_CELLS // max(1, columns))
    stride = max(1, values.size // SAMPLE)
    for start in range(0, rows, band):
        sizes = np.abs(values[start : start + band]).reshape(-1)
        high = max(high, float(np.fmax.reduce(sizes, initial=0.0)))
        part = sizes[::stride]
        sample.append(part[part > 0])  # not NaN either
    if not (high > 0 and math.isfinite(high)):
        return DivergingScale(1.0, log, 1e-6)
    known = np.concatenate(sample)
    usual = float(np.percentile(known, PERCENTILE)) if len(known) else high
    end = usual if high > CLIPPED * usual else high
    least = float(known.min()) if len(known) else end
    return DivergingScale(end, log, max(min(least, end / 10), end * DECADES), end < high)


@lru_cache(maxsize=8)
def _towards(zero: str, colour: str) -> F64:
    """float64[STEPS, 3]: colours from near ``zero`` to ``colour``, equally far apart for the eye."""
    ends = _perceived(np.array([rgb(zero), rgb(colour)], np.float64))
    shares = np.linspace(FAINTEST, 1.0, STEPS)[:, None]
    return sealed(_shown(ends[0] + (ends[1] - ends[0]) * shares))


_TO_CONE = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
"""Of OKLab, a space in which distances are as the eye sees them (Ottosson, 2020)."""


def _perceived(colours: F64) -> F64:
    """float64[colours, 3]: sRGB (0..255) in OKLab."""
    share = colours / 255
    light = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    made: F64 = np.cbrt(light @ _TO_CONE.T) @ _TO_LAB.T
    return made


def _shown(colours: F64) -> F64:
    """float64[colours, 3]: OKLab in sRGB (0..255)."""
    light = ((colours @ np.linalg.inv(_TO_LAB).T) ** 3) @ np.linalg.inv(_TO_CONE).T
    light = np.clip(light, 0.0, 1.0)
    share = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    made: F64 = np.clip(share * 255, 0.0, 255.0)
    return made
