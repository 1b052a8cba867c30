"""Whether a tensor map is consistent."""

from __future__ import annotations

import numpy as np

from app.analysis.tensor_map.matrix import rising, tensor_name
from app.analysis.tensor_map.sizes import owners, spread
from app.analysis.tensor_map.tiles import tile_count
from app.language import plural, tr
from app.profile.arrays import I64, combine_at, distinct
from app.profile.issue import Issue
from app.profile.profile import Profile
from app.profile.tensorflow import TensorMap

PLACE = tr("tensor map")


def check(profile: Profile) -> list[Issue]:
    """Totals that are not the sum over the tiles, more elements than a shape has, tiles that are listed twice or that
    the machine does not have."""
    own = profile.tensor_map
    if own is None or not len(own):
        return []
    elements = spread(own).elements
    made = [_totals(own, elements), _shapes(own, elements), _twice(own), _tiles(profile, own)]
    return [issue for issue in made if issue is not None]


def _totals(own: TensorMap, elements: I64) -> Issue | None:
    stated = own.tensors.elements
    wrong = np.flatnonzero((stated >= 0) & (stated != elements))
    if not len(wrong):
        return None
    row = int(wrong[0])
    text = plural(
        "its tiles contain {count:,} element, but its total is {stated:,}",
        "its tiles contain {count:,} elements, but its total is {stated:,}",
        count=int(elements[row]),
        stated=int(stated[row]),
    )
    return _issue(own, row, len(wrong), text)


def _shapes(own: TensorMap, elements: I64) -> Issue | None:
    """A tensor may have fewer distinct elements than its shape (broadcast), but not more."""
    shape = own.tensors.shape
    product = np.ones(len(own))
    combine_at(np.multiply, product, shape.owner, shape.items.astype(np.float64))
    wrong = np.flatnonzero((own.tensors.generation > 1) & (elements > product))
    if not len(wrong):
        return None
    row = int(wrong[0])
    text = plural(
        "its tiles contain {count:,} element, but its shape has {product:,}",
        "its tiles contain {count:,} elements, but its shape has {product:,}",
        count=int(elements[row]),
        product=int(product[row]),
    )
    return _issue(own, row, len(wrong), text)


def _twice(own: TensorMap) -> Issue | None:
    if rising(own):
        return None
    owner, tile = owners(own), own.tile
    order = np.lexsort((tile, owner))
    again = order[1:][(np.diff(owner[order]) == 0) & (np.diff(tile[order]) == 0)]
    if not len(again):
        return None
    tensors = distinct(owner[again])
    text = tr("tile {tile:,} is listed more than once; its elements are added", tile=int(tile[again[0]]))
    return _issue(own, int(owner[again[0]]), len(tensors), text)


def _tiles(profile: Profile, own: TensorMap) -> Issue | None:
    target = profile.target
    if target is None or not target.tiles or tile_count(own) <= target.tiles:
        return None
    text = plural(
        "it names tile {tile_count:,}, but the target has {count:,} tile: it belongs to another graph",
        "it names tile {tile_count:,}, but the target has {count:,} tiles: it belongs to another graph",
        count=target.tiles,
        tile_count=tile_count(own) - 1,
    )
    return Issue("warning", PLACE, text)


def _issue(own: TensorMap, row: int, count: int, text: str) -> Issue:
    if count > 1:
        text = plural(
            "{text} ({count:,} more such tensor)", "{text} ({count:,} more such tensors)", text=text, count=count - 1
        )
    where = tr("{place}: tensor {row:,}, {tensor_name}", place=PLACE, row=row, tensor_name=tensor_name(own, row))
    return Issue("warning", where, text)
