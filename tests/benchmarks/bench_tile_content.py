"""Content of a tile: ``PYTHONPATH=.:tests python tests/benchmarks/bench_tile_content.py``.

1,472 tiles with 600 compute sets and 100,000 variables, queried for one tile, sixteen and all: a click must not wait
for the content of other tiles.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from app.analysis.poplar.tile_content import CONTENTS, TileContents
from app.analysis.tables.poplar_tile_content import table_of
from app.profile.arrays import I64, Integers
from app.profile.poplar import (
    TOTAL_BYTES,
    Categories,
    ComputeSetBytes,
    ExchangeList,
    Exchanges,
    TileMemory,
    Variables,
    VertexTypeBytes,
)
from app.profile.profile import Origin, Profile
from app.profile.strings import Strings
from benchmarks.clock import median
from benchmarks.record import Record
from benchmarks.report import show
from benchmarks.size import FULL, Size

CATEGORIES, TYPES = 25, 60


def measure(size: Size) -> list[Record]:
    tiles, sets, count = (1472, 600, 100_000) if size.full else (64, 20, 2000)
    contents = TileContents(_profile(tiles, sets, count))
    records = []
    for some, at_most in ((1, 10.0), (16, 20.0), (tiles, None)):
        on = np.arange(some, dtype=np.int64)
        for kind, title in ((kind, spec.title) for kind, spec in CONTENTS.items()):
            took = median(partial(table_of, contents, kind, on), size.repeats)
            records.append(Record(f"{title.lower()} on {some:,} of {tiles:,} tiles", "", took, "ms", at_most=at_most))
    return records


def _profile(tiles: int, sets: int, count: int) -> Profile:
    random = np.random.default_rng(1)

    def matrix(rows: int) -> Integers:
        return random.integers(0, 5000, (rows, tiles)).astype(np.uint16)

    parts = np.arange(2 * CATEGORIES)
    names = tuple(f"category {number}" for number in range(CATEGORIES))
    owner, region = (parts // 2).astype(np.int32), np.zeros(len(parts), np.int32)
    bytes_, none = matrix(len(parts)), np.empty(0, np.int32)
    categories = Categories(names, owner, region, parts % 2 == 1, bytes_, none, matrix(0))
    used = random.integers(300_000, 500_000, tiles)
    return Profile(
        name="bench",
        origin=Origin("poplar", (Path("graph.json"),)),
        tile_memory=TileMemory(tiles=tiles, total=used, total_with_gaps=used, categories=categories),
        compute_set_bytes=ComputeSetBytes({"codeBytes": matrix(sets), TOTAL_BYTES: matrix(sets)}),
        vertex_type_bytes=VertexTypeBytes({"codeBytes": matrix(TYPES), TOTAL_BYTES: matrix(TYPES)}),
        exchanges=Exchanges(
            internal=ExchangeList(count=sets, sent=matrix(sets), received=matrix(sets), code=matrix(sets))
        ),
        variables=_variables(random, tiles, count),
    )


def _variables(random: np.random.Generator, tiles: int, count: int) -> Variables:
    tile: I64 = random.integers(0, tiles, count)
    size: I64 = random.integers(4, 400, count)
    none = np.zeros(count, np.bool_)
    whole = {"number": np.arange(count), "size": size, "offset": 8 * random.integers(0, 70_000, count)}
    return Variables(
        strings=Strings.of(f"layer{number % 997}/weights#{number}" for number in range(count)),
        name=np.arange(count, dtype=np.int32),
        category=np.zeros(count, np.int32),
        tile=tile.astype(np.int32),
        equivalence=np.zeros(count, np.int32),
        alignment=np.full(count, 8),
        **whole,
        allocated=~none,
        constant=none,
        always_live=none,
        executable=none,
        vertex_code=none,
        interleaved=none,
        by_tile=np.lexsort((-size, tile)).astype(np.int64),
    )


if __name__ == "__main__":
    show(measure(FULL))
