"""Differences of the data of tensors and of other stored content, of which tables only have the sizes, and their
table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.ascend.typed_columns import count_column
from app.analysis.table import Column, Table
from app.language import tr
from app.profile.arrays import F64, Array
from app.profile.selection import Kind

WIDE: Final = 4
"""Bytes of the largest integers whose differences float64 holds exactly."""


class ValueDifference(Struct, frozen=True):
    """Of ``elements`` that both have, ``different`` are not the same. ``largest`` and ``mean``: |difference| over the
    elements with finite values on both sides (None without any); ``not_finite``: different elements of which one is
    infinite or not a number."""

    elements: int
    different: int
    not_finite: int
    largest: float | None
    mean: float | None


def value_difference(before: Iterable[Array], after: Iterable[Array]) -> ValueDifference:
    """The difference of two sequences of values of one type, given in pieces of the same sizes. Two NaN are the
    same."""
    elements = different = not_finite = finite = 0
    largest = total = 0.0
    for one, other in zip(before, after, strict=True):
        elements += one.size
        apart = one != other
        if one.dtype.kind == "f":
            apart &= ~(np.isnan(one) & np.isnan(other))
            counted = np.isfinite(one) & np.isfinite(other)
        else:
            counted = np.ones(one.shape, np.bool_)
        different += int(np.count_nonzero(apart))
        not_finite += int(np.count_nonzero(apart & ~counted))
        finite += int(np.count_nonzero(counted))
        places = np.flatnonzero(apart & counted)
        if len(places):
            size = _distance(one.reshape(-1)[places], other.reshape(-1)[places])
            largest = max(largest, float(size.max()))
            total += float(size.sum())
    return ValueDifference(
        elements, different, not_finite, largest if finite else None, total / finite if finite else None
    )


def _distance(one: Array, other: Array) -> Array:
    """float64: |other - one|; of wide integers without overflow."""
    if one.dtype.kind in "iu" and one.dtype.itemsize > WIDE:
        low, high = np.minimum(one, other), np.maximum(one, other)
        return (high.astype(np.uint64) - low.astype(np.uint64)).astype(np.float64)
    with np.errstate(over="ignore"):
        return np.abs(other.astype(np.float64) - one.astype(np.float64))


class ContentDifference(Struct, frozen=True):
    """``kind``: tensor, feed, executable or opaque; ``name``: after, else before. ``same``: whether all bytes are the
    same, None if that cannot be said (``why``). ``values``: of tensors and feeds whose type and number of elements are
    the same. ``table``, ``row``: where it is among the compared tables; ``item``: the tensor or the blob after."""

    kind: str
    name: str
    same: bool | None
    values: ValueDifference | None = None
    why: str = ""
    table: str = ""
    row: int = -1
    item: int = -1


DIFFERENT = tr("Elements that differ; two NaN are equal.")
FINITE = tr("Over the elements that are finite on both sides.")


def content_table(contents: Sequence[ContentDifference], selects: Kind) -> Table:
    """One row for each, the largest differences first; ``selects``: what ``item`` stands for."""
    order = sorted(range(len(contents)), key=lambda place: _rank(contents[place]))
    own = [contents[place] for place in order]
    columns = [
        Column("kind", tr("Kind"), tuple(one.kind for one in own), role="kind"),
        Column("name", tr("Name"), tuple(one.name for one in own), role="name"),
        Column("content", tr("Content"), tuple(_result(one) for one in own)),
    ]
    if any(one.values is not None for one in own):
        elements, different = _counts(own, "elements"), _counts(own, "different")
        share = 100 * different / np.where(elements > 0, elements, np.nan)
        columns += [
            count_column("elements", tr("Elements"), elements),
            count_column("different", tr("Different"), different, help=DIFFERENT),
            Column("share", tr("Share"), share, "%", DIFFERENT, share_of=tr("all elements")),
            Column("largest", tr("Largest difference"), _counts(own, "largest"), help=FINITE, adds_up=False),
            Column("mean", tr("Mean difference"), _counts(own, "mean"), help=FINITE, adds_up=False),
            count_column(
                "not_finite",
                tr("Not finite"),
                _counts(own, "not_finite"),
                help=tr("Different elements of which at least one is infinite or NaN."),
            ),
        ]
    keys = np.array([one.item for one in own], np.int64)
    return Table("contents", tr("Contents"), tuple(columns), selects, keys)


def _rank(content: ContentDifference) -> tuple[bool, float]:
    """What differs comes first, by its largest difference; what could not be compared before what is the same."""
    largest = content.values.largest if content.values is not None else None
    return content.same is True, -(largest if largest is not None else float("inf") if not content.same else 0.0)


def _result(content: ContentDifference) -> str:
    if content.same is None:
        return tr("not compared: {why}", why=content.why)
    if content.same:
        return tr("the same")
    return tr("different: {why}", why=content.why) if content.why else tr("different")


def _counts(contents: Sequence[ContentDifference], name: str) -> F64:
    """float64: a figure of the values, NaN without one."""
    figures = (None if one.values is None else getattr(one.values, name) for one in contents)
    return np.array([np.nan if value is None else float(value) for value in figures], np.float64)
