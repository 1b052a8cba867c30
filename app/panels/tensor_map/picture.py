"""Pictures of the panel: tensors by tiles, and one tensor (or all) along the tiles."""

from __future__ import annotations

import numpy as np

from app.analysis.matrix import Matrix
from app.analysis.memory import used
from app.analysis.tensor_map import (
    Spread,
    element_bytes,
    histogram,
    per_tile,
    spread,
    tensor_matrix,
    tensor_name,
    tile_count,
    tiles_of_ipu,
)
from app.language import plural, tr
from app.profile.arrays import I64, Bool
from app.profile.profile import Profile
from app.profile.tensorflow import TensorMap
from app.views.axis import TileAxis
from app.views.look import Look
from app.views.plot import Limit, PlotPicture, plot_picture
from app.views.units import format_value
from app.widgets.heat.picture import HeatPicture, heat_picture

ALL = tr("All mapped tensors")
REST = tr("Other memory in use")
COLOURS = ("#0072B2", "#A3ABB6")
"""Colours of the tensors, and of the rest, which stays in the background."""


def computations(tensor_map: TensorMap) -> list[tuple[str, tuple[str, str]]]:
    """(title, (names of module and computation)) of each computation, in the order of the file."""
    own = tensor_map.tensors
    keys = np.stack((own.module, own.computation), axis=1)
    pairs, first = np.unique(keys, axis=0, return_index=True)
    listed = []
    for module, computation in pairs[np.argsort(first)].tolist():
        names = (tensor_map.strings.get(module), tensor_map.strings.get(computation))
        listed.append((" · ".join(name for name in names if name), names))
    return listed


def heat_of(
    profile: Profile, within: Bool | None, *, largest_first: bool, log: bool, sums: Spread | None = None
) -> tuple[Matrix, HeatPicture] | None:
    """Tensors by tiles; None if there are none. ``sums``: of all tensors, if already computed."""
    tensor_map = profile.tensor_map
    if tensor_map is None:
        return None
    rows = np.arange(len(tensor_map), dtype=np.int64) if within is None else np.flatnonzero(within).astype(np.int64)
    if largest_first:
        sums = spread(tensor_map) if sums is None else sums
        size = np.where(sums.bytes >= 0, sums.bytes, sums.elements)[rows]
        rows = rows[np.argsort(-size, kind="stable")]
    matrix = tensor_matrix(tensor_map, rows)
    if matrix is None:
        return None
    picture = heat_picture(
        tr("Bytes of tensors on tiles"),
        *(matrix.values, matrix.unit, tr("Tensor"), matrix.row_names.get, axis_of(profile)),
        log=log,
    )
    return matrix, picture


def axis_of(profile: Profile) -> TileAxis:
    """The axis of tiles, with borders of IPUs if they are known or can be assumed."""
    count = 0 if profile.tensor_map is None else tile_count(profile.tensor_map)
    return TileAxis(count, group=tiles_of_ipu(profile))


def bars_of(profile: Profile, tensor: int | None, *, over_memory: bool = False) -> PlotPicture | None:
    """Bytes (or elements, if the type's size is not known) of one tensor along the tiles; of all for None.
    ``over_memory``: stacked with the remaining use of each tile according to the graph profile."""
    tensor_map = profile.tensor_map
    if tensor_map is None or not len(tensor_map.tile):
        return None
    name: str = ALL
    amounts = per_tile(tensor_map).bytes if tensor is None else histogram(tensor_map, tensor)
    if tensor is not None:
        name, width = tensor_name(tensor_map, tensor), int(element_bytes(tensor_map)[tensor])
        if width < 0:
            return plot_picture(tr("{name}, elements", name=name), "", axis_of(profile), [(tr("Elements"), amounts)])
        amounts = amounts * width
    memory = tile_bytes(profile) if over_memory else None
    if memory is None:
        return plot_picture(name, "B", axis_of(profile), [(tr("Bytes"), amounts)])
    places = max(len(amounts), len(memory))
    amounts, memory = _padded(amounts, places), _padded(memory, places)
    layers = [(name, amounts), (REST, np.maximum(memory - amounts, 0))]
    size = profile.target.bytes_per_tile if profile.target is not None else None
    limit = Limit(size, tr("Memory of a tile")) if size else None
    axis = TileAxis(places, group=tiles_of_ipu(profile))
    return plot_picture(
        tr("{name} in the memory of the tiles", name=name), "B", axis, layers, limit=limit, colours=COLOURS
    )


def tile_bytes(profile: Profile) -> I64 | None:
    """int64[tiles]: bytes in use on each tile (with gaps, if the graph profile has them); None without a graph
    profile."""
    values = None if profile.tile_memory is None else used(profile.tile_memory)
    return None if values is None else values.astype(np.int64)


def _padded(values: I64, count: int) -> I64:
    return np.concatenate((values, np.zeros(count - len(values), np.int64)))


def tensor_line(tensor_map: TensorMap, sums: Spread, tensor: int, look: Look) -> str:
    """The readout's text about one tensor."""
    own, strings = tensor_map.tensors, tensor_map.strings
    size = int(sums.bytes[tensor])
    parts = [
        tensor_name(tensor_map, tensor),
        strings.get(int(own.name[tensor])),
        strings.get(int(own.type[tensor])),
        plural(
            "{count:,} element",
            "{count:,} elements",
            count=int(sums.elements[tensor]),
        ),
        format_value(size, "B", look) if size >= 0 else tr("bytes unknown"),
        plural("{tile:,} tile", "{tile:,} tiles", count=sums.tiles[tensor], tile=int(sums.tiles[tensor])),
    ]
    if sums.tiles[tensor] > 1:
        at = tr("{largest:,} on tile {at:,}", largest=int(sums.largest[tensor]), at=int(sums.at[tensor]))
        parts.append(tr("imbalance {imbalance} (max: {at})", imbalance=f"{float(sums.imbalance[tensor]):.2f}", at=at))
    parts += [tr("constant elements")] if own.constant[tensor] == 1 else []
    parts += ["aliases"] if own.aliases[tensor] == 1 else []
    return " · ".join(part for part in parts if part)


def tiles_line(profile: Profile, tiles: I64, look: Look) -> str:
    """The readout's text about selected tiles, or about all (an empty selection)."""
    tensor_map = profile.tensor_map
    if tensor_map is None:
        return ""
    sums = per_tile(tensor_map)
    known = tiles[(tiles >= 0) & (tiles < len(sums))]
    if not len(tiles):
        used = int(np.count_nonzero(sums.elements))
        total = format_value(int(sums.bytes.sum()), "B", look)
        return tr(
            "{tensors} on {tiles} · {total} · click a row for its tiles, drag over tiles",
            tensors=plural("{count:,} tensor", "{count:,} tensors", count=len(tensor_map)),
            tiles=plural("{count:,} tile", "{count:,} tiles", count=used),
            total=total,
        )
    total = format_value(int(sums.bytes[known].sum()), "B", look)
    name = (
        axis_of(profile).name(int(tiles[0]))
        if len(tiles) == 1
        else plural(
            "{count:,} tile",
            "{count:,} tiles",
            count=len(tiles),
        )
    )
    return tr("{name} · {total} of mapped tensors", name=name, total=total)
