"""Maps amounts to colours.

A cell is one byte: 0 no data, 1 zero, 2..255 an amount, ascending; so the maximum of several codes is the code of the
largest amount, and a small amount is never drawn like zero.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, U8, U32, Array
from app.views.colours import rgb
from app.views.look import Theme

NO_DATA, ZERO, LEAST, MOST = 0, 1, 2, 255
BLOCK = 1 << 20
VIRIDIS = ["#440154", "#482878", "#3E4989", "#31688E", "#26828E", "#1F9E89", "#35B779", "#6ECE58", "#B5DE2B", "#FDE725"]
INFERNO = ["#420A68", "#5D126E", "#781C6D", "#A52C60", "#CF4446", "#ED6925", "#FB9B06", "#F7D13D", "#FCFFA4"]
"""Perceptually uniform colour maps, by some of their colours; inferno without its first fifth, which is lost on a dark
surface."""


class Scale(Protocol):
    """Maps amounts from ``low`` to ``high`` to codes, and these to colours: see HeatScale and DivergingScale."""

    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def log(self) -> bool: ...
    @property
    def signed(self) -> bool: ...
    @property
    def clipped(self) -> bool: ...

    def codes(self, values: Array, /) -> U8: ...
    def code(self, value: float, /) -> int: ...
    def value(self, share: float, /) -> float: ...
    def lookup(self, theme: Theme, /) -> U32: ...
    def ramp(self, theme: Theme, /) -> F64: ...


class HeatScale(Struct, frozen=True):
    """Maps ``low`` .. ``high`` (positive amounts) to the colours, linearly or logarithmically."""

    low: float
    high: float
    log: bool = False

    @property
    def signed(self) -> bool:
        """Whether amounts below zero are data."""
        return False

    @property
    def clipped(self) -> bool:
        """Whether there are amounts beyond the ends of the scale."""
        return False

    def lookup(self, theme: Theme) -> U32:
        """uint32[256]: premultiplied ARGB of each code; no data is transparent (the background shows through)."""
        return lookup(theme)

    def ramp(self, theme: Theme) -> F64:
        """float64[steps, 3]: the colours from the lowest amount to the highest, 0..255."""
        return ramp(theme)

    def codes(self, values: Array) -> U8:
        """The codes of ``values``: uint8 of the same shape. Negative amounts and NaN are no data; amounts outside the
        scale are clamped."""
        flat = values.reshape(-1) if values.flags.c_contiguous else np.ascontiguousarray(values).reshape(-1)
        codes = np.empty(len(flat), np.uint8)
        table = self._table(flat.dtype)
        for start in range(0, len(flat), BLOCK):
            part = flat[start : start + BLOCK]
            codes[start : start + BLOCK] = table[part] if table is not None else self._block(part)
        return codes.reshape(values.shape)

    def code(self, value: float) -> int:
        """The code of one amount."""
        return int(self._block(np.array([value], np.float64))[0])

    def share(self, value: float) -> float:
        """The position of an amount on the colour scale, 0..1."""
        if self.log:
            width = math.log(self.high / self.low)
            return 0.0 if width <= 0 or value <= 0 else math.log(value / self.low) / width
        return (value - self.low) / (self.high - self.low) if self.high > self.low else 1.0

    def value(self, share: float) -> float:
        """The amount at a position on the colour scale, 0..1."""
        if self.log:
            return float(self.low * (self.high / self.low) ** share)
        return self.low + (self.high - self.low) * share

    def _table(self, dtype: np.dtype) -> U8 | None:
        """A lookup table with the codes of all values of a narrow unsigned type; None for other types."""
        return self._block(np.arange(1 << 8 * dtype.itemsize)) if dtype.kind == "u" and dtype.itemsize <= 2 else None

    def _block(self, values: Array) -> U8:
        steps = MOST - LEAST
        amounts = values.astype(np.float32)
        with np.errstate(all="ignore"):
            if self.log:
                width = max(math.log(self.high / self.low), 1e-12)
                places = np.log(amounts)
                places -= math.log(self.low)
                places *= steps / width
            else:
                places = amounts - np.float32(self.low)
                places *= steps / (self.high - self.low) if self.high > self.low else 0.0
                if self.high <= self.low:
                    places += steps
            np.fmin(np.fmax(places, 0, out=places), steps, out=places)
        codes = places.astype(np.uint8)
        codes += LEAST
        codes[amounts == 0] = ZERO
        codes[~(amounts >= 0)] = NO_DATA
        return codes


def scale_of(values: Array, *, log: bool = False) -> HeatScale:
    """A scale over the positive amounts; a logarithmic one covers at most six decades below the largest."""
    low, high = math.inf, 0.0
    for start in range(0, len(values), max(1, BLOCK * 4 // max(1, values.shape[1]))):
        part = values[start : start + max(1, BLOCK * 4 // max(1, values.shape[1]))]
        if part.size:
            high = max(high, float(np.fmax.reduce(part, axis=None)))
            if log:
                low = min(low, _smallest(part))
    if not (high > 0 and math.isfinite(high)):
        return HeatScale(1.0, 1.0, log)
    return HeatScale(max(low, high * 1e-6) if log and low < high else high * 1e-6 if log else 0.0, high, log)


def _smallest(part: Array) -> float:
    positive = part[part > 0]
    return float(positive.min()) if len(positive) else math.inf


def ramp(theme: Theme) -> F64:
    """float64[254, 3]: the colours of the amounts from the least to the most, 0..255."""
    anchors = np.array([rgb(colour) for colour in (INFERNO if theme.dark else VIRIDIS)], np.float64)
    places = np.linspace(0, len(anchors) - 1, MOST - LEAST + 1)
    return np.stack([np.interp(places, np.arange(len(anchors)), anchors[:, part]) for part in range(3)], axis=1)


def lookup(theme: Theme) -> U32:
    """uint32[256]: premultiplied ARGB of each code; no data is transparent (the background shows through)."""
    colours = np.zeros((256, 3), np.float64)
    colours[ZERO] = rgb(theme.zero)
    colours[LEAST:] = ramp(theme)
    whole = np.rint(colours).astype(np.uint32)
    packed = (0xFF << 24) | (whole[:, 0] << 16) | (whole[:, 1] << 8) | whole[:, 2]
    packed[NO_DATA] = 0
    return packed.astype(np.uint32)
