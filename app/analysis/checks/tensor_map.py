"""Whether a tensor map is consistent."""

from __future__ import annotations

import numpy as np

from app.analysis.tensor_map.matrix import rising, tensor_name
from app.analysis.tensor_map.sizes import owners, spread
from app.analysis.tensor_map.tiles import tile_count
from app.language import tr
from app.profile.arrays import I64
from app.profile.issue import Issue
from app.profile.profile import Profile
from app.profile.tensor_map import TensorMap

PLACE = tr("tensor map")


def check(profile: Profile) -> list[Issue]:
    """Totals that are not the sum over the tiles, more elements than a shape has, tiles that are listed twice or that
    the machine does not have."""
    found = profile.tensor_map
    if found is None or not len(found):
        return []
    elements = spread(found).elements
    made = [_totals(found, elements), _shapes(found, elements), _twice(found), _tiles(profile, found)]
    return [issue for issue in made if issue is not None]


def _totals(found: TensorMap, elements: I64) -> Issue | None:
    stated = found.tensors.elements
    wrong = np.flatnonzero((stated >= 0) & (stated != elements))
    if not len(wrong):
        return None
    row = int(wrong[0])
    text = tr(
        "its tiles hold {element:,} elements, but its total is {stated:,}",
        element=int(elements[row]),
        stated=int(stated[row]),
    )
    return _issue(found, row, len(wrong), text)


def _shapes(found: TensorMap, elements: I64) -> Issue | None:
    """A tensor may have fewer distinct elements than its shape (broadcast), but not more."""
    shape = found.tensors.shape
    product = np.ones(len(found))
    np.multiply.at(product, shape.owner, shape.items.astype(np.float64))
    wrong = np.flatnonzero((found.tensors.generation > 1) & (elements > product))
    if not len(wrong):
        return None
    row = int(wrong[0])
    text = tr(
        "its tiles hold {element:,} elements, but its shape has {product:,}",
        element=int(elements[row]),
        product=int(product[row]),
    )
    return _issue(found, row, len(wrong), text)


def _twice(found: TensorMap) -> Issue | None:
    if rising(found):
        return None
    owner, tile = owners(found), found.tile
    order = np.lexsort((tile, owner))
    again = order[1:][(np.diff(owner[order]) == 0) & (np.diff(tile[order]) == 0)]
    if not len(again):
        return None
    tensors = np.unique(owner[again])
    text = tr("tile {tile:,} is named more than once; its elements are added", tile=int(tile[again[0]]))
    return _issue(found, int(owner[again[0]]), len(tensors), text)


def _tiles(profile: Profile, found: TensorMap) -> Issue | None:
    target = profile.target
    if target is None or not target.tiles or tile_count(found) <= target.tiles:
        return None
    text = tr(
        "it names tile {tile_count:,}, but the target has {tiles:,} tiles: it is of another graph",
        tile_count=tile_count(found) - 1,
        tiles=target.tiles,
    )
    return Issue("warning", PLACE, text)


def _issue(found: TensorMap, row: int, count: int, text: str) -> Issue:
    more = "" if count == 1 else tr(" ({count:,} more tensors like it)", count=count - 1)
    where = tr("{place}: tensor {row:,}, {tensor_name}", place=PLACE, row=row, tensor_name=tensor_name(found, row))
    return Issue("warning", where, text + more)
