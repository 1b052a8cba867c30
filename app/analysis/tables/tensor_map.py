"""Tensors on tiles, as tables."""

from __future__ import annotations

import numpy as np

from app.analysis.shares import shares
from app.analysis.table import Coded, Column, Table
from app.analysis.table_rows import only
from app.analysis.tensor_map.sizes import element_bytes, owners, place_bytes, spread
from app.analysis.tensor_map.tiles import per_tile, tiles_of_ipu
from app.language import tr
from app.profile.arrays import I64, Bool, combine_at
from app.profile.profile import Profile
from app.profile.strings import Interner
from app.profile.tensorflow import TensorMap

ELEMENTS = tr("Distinct mapped elements: a broadcast scalar counts once.")
BYTES = tr("Elements x bytes of one element; no data for a type of unknown size.")
IMBALANCE = tr("Most elements on one tile / mean over the tiles with any: 1 is even.")
NO_SHAPE = tr("The first generation of maps does not have it.")


def tensors(profile: Profile, within: Bool | None = None) -> Table | None:
    """One row per tensor (of ``within``: bool[tensors], if given)."""
    mapping = profile.tensor_map
    if mapping is None:
        return None
    own, sums = mapping.tensors, spread(mapping)
    columns = [
        Column(
            "instruction",
            tr("Instruction"),
            Coded(own.instruction, mapping.strings),
            help=tr("The XLA/HLO instruction."),
        ),
        Column("output", tr("Output"), own.output, help=tr("Index of the output."), missing=own.output < 0, role="key"),
        Column("name", tr("TensorFlow name"), Coded(own.name, mapping.strings), help=tr("In maps since 2020-02.")),
        Column("type", tr("Type"), Coded(own.type, mapping.strings)),
        Column("shape", tr("Shape"), shapes(mapping), help=NO_SHAPE),
        Column("bytes", tr("Bytes"), sums.bytes, "B", BYTES, sums.bytes < 0),
        Column("elements", tr("Elements"), sums.elements, help=ELEMENTS),
        Column("tiles", tr("Tiles"), sums.tiles, help=tr("Tiles with any element.")),
        Column("largest", tr("Maximum on a tile"), sums.largest, help=tr("Maximum over tiles, in elements.")),
        Column(
            "at", tr("At tile"), sums.at, help=tr("The first tile with the maximum."), missing=sums.at < 0, role="key"
        ),
        Column("imbalance", tr("Imbalance"), sums.imbalance, help=IMBALANCE),
        Column(
            "constant",
            tr("Constant"),
            own.constant == 1,
            help=tr("Whether it has constant elements."),
            missing=own.constant < 0,
        ),
        Column(
            "aliases",
            tr("Aliases"),
            own.aliases == 1,
            help=tr("Whether elements are aliases."),
            missing=own.aliases < 0,
        ),
        Column("computation", tr("Computation"), Coded(own.computation, mapping.strings)),
    ]
    if bool(np.any(own.module >= 0)):
        columns.append(Column("module", tr("Module"), Coded(own.module, mapping.strings)))
    table = Table("mapped-tensors", tr("Mapped tensors"), tuple(columns), "mapped_tensor")
    return table if within is None else only(table, within)


def places(profile: Profile, tiles: I64 | None = None) -> Table | None:
    """One row for each tensor on each tile (of ``tiles``)."""
    own = profile.tensor_map
    if own is None or not len(own.tile):
        return None
    owner, size = owners(own), place_bytes(own)
    rows = np.arange(len(own.tile)) if tiles is None else np.flatnonzero(np.isin(own.tile, tiles))
    owner, known = owner[rows], element_bytes(own)[owner[rows]] >= 0
    columns = [
        Column("tile", tr("Tile"), own.tile[rows], role="key"),
        Column("instruction", tr("Instruction"), Coded(own.tensors.instruction[owner], own.strings)),
        Column("name", tr("TensorFlow name"), Coded(own.tensors.name[owner], own.strings)),
        Column("type", tr("Type"), Coded(own.tensors.type[owner], own.strings)),
        Column("elements", tr("Elements"), own.count[rows].astype(np.int64), help=ELEMENTS),
        Column("bytes", tr("Bytes"), size[rows], "B", BYTES, ~known),
    ]
    if len(own.intervals):
        ranges = own.intervals[rows].astype(np.int64)
        columns.append(
            Column("intervals", tr("Ranges"), ranges, help=tr("Number of element ranges."), missing=ranges < 0)
        )
    return Table("mapped-elements", tr("Tensors on tiles"), tuple(columns), "mapped_tensor", owner)


def tiles(profile: Profile) -> Table | None:
    """One row per tile."""
    own = profile.tensor_map
    if own is None or not len(own.tile):
        return None
    sums = per_tile(own)
    number = np.arange(len(sums))
    columns = [
        Column("tile", tr("Tile"), number, role="key"),
        Column("tensors", tr("Tensors"), sums.tensors, help=tr("Tensors with elements on the tile.")),
        Column("elements", tr("Elements"), sums.elements, help=ELEMENTS),
        Column("bytes", tr("Bytes of mapped tensors"), sums.bytes, "B", BYTES),
    ]
    each = tiles_of_ipu(profile)
    if each:
        stated = profile.target is not None and profile.target.tiles_per_ipu
        source = tr("as the graph profile states") if stated else tr("assumed, because no graph profile is open")
        columns.insert(
            1,
            Column(
                "ipu",
                "IPU",
                number // each,
                help=tr("Tile / {each:,} tiles per IPU, {source}.", each=each, source=source),
                role="key",
            ),
        )
    return Table("mapped-tiles", tr("Mapped tensors by tile"), tuple(columns), "tile")


def types(profile: Profile) -> Table | None:
    """One row per element type, most bytes first."""
    own = profile.tensor_map
    if own is None or not len(own):
        return None
    sums = spread(own)
    kinds, of = np.unique(own.tensors.type, return_inverse=True)
    of = of.reshape(-1)
    count = np.bincount(of, minlength=len(kinds)).astype(np.int64)
    elements, size = np.zeros(len(kinds), np.int64), np.zeros(len(kinds), np.int64)
    combine_at(np.add, elements, of, sums.elements)
    combine_at(np.add, size, of, np.maximum(sums.bytes, 0))
    unknown = np.bincount(of[sums.bytes < 0], minlength=len(kinds)) > 0
    order = np.argsort(-size, kind="stable")
    share = shares(size)
    columns = (
        Column("type", tr("Type"), Coded(kinds[order].astype(np.int32), own.strings)),
        Column("tensors", tr("Tensors"), count[order]),
        Column("elements", tr("Elements"), elements[order], help=ELEMENTS),
        Column("bytes", tr("Bytes"), size[order], "B", BYTES, unknown[order]),
        Column("share", tr("Share"), share[order], "%", "", unknown[order], tr("the bytes of all mapped tensors")),
    )
    return Table("mapped-types", tr("Mapped tensors by type"), columns)


def shapes(own: TensorMap) -> Coded:
    """``32 × 32``; each distinct shape once. No text for the generation without shapes."""
    texts, ids = Interner(), np.full(len(own), -1, np.int32)
    first, items = own.tensors.shape.first.tolist(), own.tensors.shape.items.tolist()
    for row in np.flatnonzero(own.tensors.generation > 1).tolist():
        sizes = items[first[row] : first[row + 1]]
        ids[row] = texts(" × ".join(map(str, sizes[:64])) or "scalar")
    return Coded(ids, texts.strings())
