"""Checks whether a graph and an execution belong together. The files have no common id, so they match unless their data
contradict each other."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.formats.poplar.execution import ExecutionParts
from app.formats.poplar.graph import GraphParts
from app.formats.poplar.pairing_steps import exchange_misfits, program_misfits
from app.formats.poplar.pairing_tiles import tile_misfits
from app.language import plural, tr
from app.profile.arrays import I32, distinct

_MOST: Final = 3
"""The largest number of reasons reported; they are joined into one sentence."""


def misfits(graph: GraphParts, run: ExecutionParts, *, one_file: bool) -> list[str]:
    """Reasons why the two cannot belong together, as phrases; empty where they can. Missing data is not a
    contradiction. What the engine wrote into one file is of one program, so with ``one_file`` totals, balances and the
    programs of the steps are not compared."""
    reasons = [
        *tile_misfits(graph, run, one_file=one_file),
        *_rows(graph, run),
        *_beyond(tr("the program trace"), run.trace, graph.programs, tr("programs")),
        *_vertices(graph, run),
    ]
    if run.steps is not None:
        reasons += _beyond(tr("a step"), run.steps.program, graph.programs, tr("programs"))
        reasons += _beyond(tr("a step"), run.steps.compute_set, graph.compute_sets, tr("compute sets"))
        reasons += exchange_misfits(graph, run.steps)
        reasons += [] if one_file else program_misfits(graph, run.steps)
    more = len(reasons) - _MOST
    return (
        reasons
        if more <= 0
        else [*reasons[:_MOST], plural("{count:,} more difference", "{count:,} more differences", count=more)]
    )


def _rows(graph: GraphParts, run: ExecutionParts) -> list[str]:
    lists = {
        "compute_sets": (graph.compute_sets, tr("compute sets")),
        "compute_sets_single": (graph.compute_sets, tr("compute sets")),
        "external_exchanges": (graph.exchanges.get("external"), tr("external exchanges")),
        "host_exchanges": (graph.exchanges.get("host"), tr("host exchanges")),
    }
    reasons: list[str] = []
    for key, (count, what) in lists.items():
        measured = run.measured.get(key)
        if measured is not None and count is not None and len(measured) != count:
            reasons.append(
                tr(
                    "the execution measured {measured:,} {what}, but the graph has {count:,}",
                    measured=len(measured),
                    what=what,
                    count=count,
                )
            )
    return reasons


def _beyond(what: str, numbers: I32 | None, count: int | None, of: str) -> list[str]:
    highest = -1 if numbers is None or count is None else int(np.max(numbers, initial=-1))
    if count is None or highest < count:
        return []
    return [
        tr(
            "{what} refers to number {highest:,} of the {of}, but the graph has {count:,}",
            what=what,
            highest=highest,
            of=of,
            count=count,
        )
    ]


def _vertices(graph: GraphParts, run: ExecutionParts) -> list[str]:
    """Reasons from measured vertices: each must be of a type that the graph has in its compute set."""
    if run.vertices is None:
        return []
    sets, types = run.vertices.compute_set, run.vertices.type
    beyond = [
        *_beyond(tr("a measured vertex"), sets, graph.compute_sets, tr("compute sets")),
        *_beyond(tr("a measured vertex"), types, graph.vertex_types, tr("vertex types")),
    ]
    if beyond or graph.set_types is None:
        return beyond
    both = (sets >= 0) & (types >= 0)
    width = 1 + max(int(np.max(types, initial=0)), int(np.max(graph.set_types.items, initial=0)))
    measured = distinct(sets[both].astype(np.int64) * width + types[both])
    listed = graph.set_types.owner.astype(np.int64) * width + graph.set_types.items
    strange = measured[~np.isin(measured, listed)]
    if not len(strange):
        return []
    number, kind = divmod(int(strange[0]), width)
    return [
        tr(
            "the execution measured a vertex of type {kind:,} in compute set {number:,}, but the graph has none",
            kind=kind,
            number=number,
        )
    ]
