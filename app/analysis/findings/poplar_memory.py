"""Tiles that are too full, or unevenly so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.findings.finding import Evidence, Finding, NotChecked, Saving
from app.analysis.findings.rule import Rule
from app.analysis.findings.thresholds import Thresholds
from app.analysis.memory import used, verdict
from app.analysis.part import Amount, sentence
from app.language import plural, tr
from app.profile.profile import Profile
from app.profile.selection import Selection


def _out_of_memory(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    fit = verdict(profile)
    if fit is None:
        return NotChecked(tr("the file does not state how much memory a tile has and uses"))
    if fit.fits:
        return ()
    evidence = tuple(
        Evidence("tiles", str(tile.tile), tr("bytes with gaps"), tile.with_gaps, "B", Selection("tile", (tile.tile,)))
        for tile in fit.worst
        if tile.with_gaps
    )
    if not fit.tiles_over:
        title = tr("Out of memory: variables overflow the regions of the tiles")
        return (
            Finding(
                "error", title, (tr("No tile exceeds its total memory, but a region of one tile overflows."),), evidence
            ),
        )
    title = plural(
        "Out of memory on {count:,} tile of {tiles:,}",
        "Out of memory on {count:,} tiles of {tiles:,}",
        count=fit.tiles_over,
        tiles=fit.tiles,
    )
    text = sentence(
        tr(
            "The fullest tile needs {needed}, {over} over the limit. All tiles together use {share} of their memory.",
            needed=Amount(fit.worst[0].with_gaps, "B"),
            over=Amount(-fit.headroom, "B"),
            share=Amount(100 * fit.total_share, "%"),
        )
    )
    return (Finding("error", title, text, evidence),)


def _imbalance(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    memory = profile.tile_memory
    values = None if memory is None else used(memory)
    if values is None or not len(values):
        return NotChecked(tr("the file has no memory per tile"))
    fullest, mean = int(values.argmax()), float(values.mean())
    largest = int(values[fullest])
    over = 100 * (largest - mean) / mean if mean else 0.0
    if over < thresholds.memory_imbalance:
        return ()
    fit = verdict(profile)
    full = fit is not None and 100 * fit.share >= thresholds.memory_full
    title = tr("Tile {tile:,} uses far more memory than the mean", tile=fullest)
    text = sentence(
        tr(
            "It uses {most}; the mean is {mean} ({more} more). A graph fails on its fullest tile, however much memory "
            "the others have left.",
            most=Amount(largest, "B"),
            mean=Amount(mean, "B"),
            more=Amount(over, "%"),
        )
    )
    evidence = (
        Evidence("tiles", str(fullest), tr("bytes with gaps"), largest, "B", Selection("tile", (fullest,))),
        Evidence("tiles", "", tr("mean of all tiles"), mean, "B"),
        Evidence("tiles", "", tr("median of all tiles"), float(np.median(values)), "B"),
    )
    saving = Saving(largest - mean, "B", tr("tile {tile:,}", tile=fullest), tr("fullest tile - mean of all tiles"))
    return (Finding("warning" if full else "info", title, text, evidence, saving),)


RULES: Final = (
    Rule(
        "poplar.out-of-memory",
        tr("Tiles that need more memory than they have"),
        tr("Bytes with gaps of each tile, compared with the memory of a tile; variables that overflow a region."),
        ("tile_memory",),
        _out_of_memory,
    ),
    Rule(
        "poplar.memory-imbalance",
        tr("A tile that uses far more memory than the others"),
        tr("Bytes of the fullest tile, compared with the mean of all tiles."),
        ("tile_memory",),
        _imbalance,
        ("memory_imbalance", "memory_full"),
    ),
)
