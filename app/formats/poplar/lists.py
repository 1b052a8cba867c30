"""Reads vertex types, compute sets and exchanges of a graph profile (Poplar profiling data format, 7.1.4 to 7.1.6)."""

from __future__ import annotations

import numpy as np

from app.formats.poplar.fields import texts
from app.formats.poplar.matrices import MatrixGroup, numbers, ragged
from app.formats.poplar.report import Report, members
from app.formats.walk import Walk
from app.language import plural, tr
from app.profile.arrays import Integers, Ragged
from app.profile.poplar import ComputeSets, ExchangeKind, ExchangeList, VertexTypes
from app.profile.strings import Strings


def read_vertex_types(walk: Walk, report: Report, path: str) -> VertexTypes:
    names: list[Strings] = []
    sizes: list[Integers] = []
    handlers = {
        "names": lambda _: names.append(texts(walk)),
        "sizes": lambda _: sizes.append(numbers(walk)),
    }
    members(walk, report, path, handlers)
    table = names[0] if names else Strings.of("" for _ in range(len(sizes[0]) if sizes else 0))
    if sizes and len(sizes[0]) != len(table):
        report.issue(
            "error",
            f"{path}.sizes",
            plural(
                "skipped: {count:,} size for {table_count:,} vertex types",
                "skipped: {count:,} sizes for {table_count:,} vertex types",
                count=len(sizes[0]),
                table_count=len(table),
            ),
        )
        sizes.clear()
    return VertexTypes(table, sizes[0] if sizes else None)


def read_compute_sets(walk: Walk, report: Report, path: str) -> tuple[ComputeSets, int | None]:
    """(the compute sets, the number of tiles in their estimates, None without any)."""
    names: list[Strings] = []
    lists: dict[str, Ragged] = {}
    group = MatrixGroup(walk, report)
    by_tile = ("cyclesByTile", "activeCyclesByTile")
    estimates = group.handlers((*by_tile, "activeCyclesByVertexType"))
    handlers = {
        "names": lambda _: names.append(texts(walk)),
        "vertexCounts": lambda _: lists.update(vertexCounts=ragged(walk)),
        "vertexTypes": lambda _: lists.update(vertexTypes=ragged(walk)),
        "cycleEstimates": lambda place: members(walk, report, place, estimates),
    }
    members(walk, report, path, handlers)
    sizes = [*map(len, names), *map(len, lists.values()), *map(len, group.matrices.values())]
    count = sizes[0] if sizes else 0
    group.check_rows(count, f"{path}.cycleEstimates", tr("compute sets"))
    tiles = group.check_columns(f"{path}.cycleEstimates", by_tile)
    _check_lists(lists, count, report, path)
    matrices = group.matrices
    section = ComputeSets(
        count=count,
        names=names[0] if names else Strings.of(()),
        vertex_counts=lists.get("vertexCounts"),
        vertex_types=lists.get("vertexTypes"),
        cycles=matrices.get("cyclesByTile"),
        active_cycles=matrices.get("activeCyclesByTile"),
        active_cycles_by_type=matrices.get("activeCyclesByVertexType"),
    )
    return section, tiles


def _check_lists(lists: dict[str, Ragged], count: int, report: Report, path: str) -> None:
    for key in [key for key, rows in lists.items() if len(rows) != count]:
        report.issue(
            "error",
            f"{path}.{key}",
            plural(
                "skipped: {count:,} row for {sets:,} compute sets",
                "skipped: {count:,} rows for {sets:,} compute sets",
                count=len(lists.pop(key)),
                sets=count,
            ),
        )
    if len(lists) == 2 and not np.array_equal(lists["vertexCounts"].first, lists["vertexTypes"].first):
        report.issue("error", f"{path}.vertexTypes", tr("skipped: its rows are not as long as those of vertexCounts"))
        del lists["vertexTypes"]


def read_exchanges(walk: Walk, report: Report, path: str, kind: ExchangeKind) -> tuple[ExchangeList, int | None]:
    """(the exchanges of one kind, the number of tiles in their data, None without any)."""
    cycles = "cyclesByTile" if kind == "internal" else "estimatedCyclesByTile"
    keys = {"bytesSentByTile": "sent", "bytesReceivedByTile": "received", cycles: "cycles", "codeBytesByTile": "code"}
    group = MatrixGroup(walk, report)
    members(walk, report, path, group.handlers(keys))
    count = max((len(matrix) for matrix in group.matrices.values()), default=0)
    group.check_rows(count, path, "exchanges")
    tiles = group.check_columns(path, keys)
    return ExchangeList(count=count, **{keys[key]: matrix for key, matrix in group.matrices.items()}), tiles
