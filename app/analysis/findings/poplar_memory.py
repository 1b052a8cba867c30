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
        return NotChecked(tr("the file does not say how much memory a tile has and uses"))
    if fit.fits:
        return ()
    evidence = tuple(
        Evidence("tiles", str(tile.tile), tr("bytes with gaps"), tile.with_gaps, "B", Selection("tile", (tile.tile,)))
        for tile in fit.worst
        if tile.with_gaps
    )
    if not fit.tiles_over:
        title = tr("Out of memory: variables overflow the regions of the tiles")
        return (Finding("error", title, (tr("Every tile is large enough, but a region of one is not."),), evidence),)
    title = plural(
        "Out of memory on {count:,} tile of {tiles:,}",
        "Out of memory on {count:,} tiles of {tiles:,}",
        count=fit.tiles_over,
        tiles=fit.tiles,
    )
    text = sentence(
        tr(
            "The fullest tile needs {needed}, which is {over} too much. All tiles together use {share} "
            "of their memory.",
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
        return NotChecked(tr("the file has no memory of single tiles"))
    fullest, mean = int(values.argmax()), float(values.mean())
    largest = int(values[fullest])
    over = 100 * (largest - mean) / mean if mean else 0.0
    if over < thresholds.memory_imbalance:
        return ()
    fit = verdict(profile)
    full = fit is not None and 100 * fit.share >= thresholds.memory_full
    title = tr("Tile {tile:,} holds far more than the mean", tile=fullest)
    text = sentence(
        tr(
            "{most} against a mean of {mean}, {more} more. A graph fails on its fullest tile, whatever "
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
        tr("Bytes with gaps of each tile against the memory of a tile; variables that overflow a region."),
        ("tile_memory",),
        _out_of_memory,
    ),
    Rule(
        "poplar.memory-imbalance",
        tr("A tile that holds far more than the others"),
        tr("Bytes of the fullest tile against the mean of all."),
        ("tile_memory",),
        _imbalance,
        ("memory_imbalance", "memory_full"),
    ),
)
