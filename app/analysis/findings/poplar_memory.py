"""Tiles that are too full, or unevenly so, and what takes their memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.memory import series, used, verdict
from app.analysis.part import Amount, sentence
from app.analysis.poplar.liveness import live_peak, variable_name
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


_MOST_LISTED: Final = 5


def _amounts(profile: Profile) -> dict[str, int] | None:
    """Bytes by category over all tiles, each byte that is not shared once; None without categories."""
    made = series(profile, "category", gaps=False)
    return None if made is None else {part.key: int(part.values.sum()) for part in made.parts}


def _share_of(profile: Profile, wanted: tuple[str, ...]) -> tuple[dict[str, int], float] | NotChecked:
    """The categories whose names end in one of ``wanted``, and their share of all in percent."""
    amounts = _amounts(profile)
    total = 0 if amounts is None else sum(amounts.values())
    if amounts is None or total <= 0:
        return NotChecked(tr("the file has no memory by category"))
    own = {name: amount for name, amount in amounts.items() if name.endswith(wanted) and amount > 0}
    return own, 100 * sum(own.values()) / total


def _evidence(own: dict[str, int]) -> tuple[Evidence, ...]:
    largest = sorted(own.items(), key=lambda pair: -pair[1])[:_MOST_LISTED]
    return tuple(
        Evidence("memory-by-category", name, tr("bytes of all tiles"), amount, "B") for name, amount in largest
    )


def _code(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = _share_of(profile, ("Code", "CodeStorage"))
    if isinstance(known, NotChecked):
        return known
    own, share = known
    if share < thresholds.code:
        return ()
    text = sentence(
        tr(
            "{size} of code, {share} of the memory without gaps. Fewer different vertices and exchanges, and called "
            "instead of inlined functions, make it smaller.",
            size=Amount(sum(own.values()), "B"),
            share=Amount(share, "%"),
        )
    )
    return (Finding("info", tr("Large share of code in memory"), text, _evidence(own)),)


def _constants(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = _share_of(profile, ("constant",))
    if isinstance(known, NotChecked):
        return known
    own, share = known
    if share < thresholds.constants:
        return ()
    text = sentence(
        tr(
            "{size} of constants, {share} of the memory without gaps. They stay on the tiles for the whole run. "
            "Streaming them saves memory and costs time.",
            size=Amount(sum(own.values()), "B"),
            share=Amount(share, "%"),
        )
    )
    return (Finding("info", tr("Large share of constants in memory"), text, _evidence(own)),)


def _rearranged(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    known = _share_of(profile, ("rearrangement",))
    if isinstance(known, NotChecked):
        return known
    own, share = known
    if share < thresholds.rearranged_copies:
        return ()
    text = sentence(
        tr(
            "{size} of rearranged copies, {share} of the memory without gaps. Allocating tensors in the"
            " layout of their consumers avoids copies.",
            size=Amount(sum(own.values()), "B"),
            share=Amount(share, "%"),
        )
    )
    return (Finding("info", tr("Large share of rearranged copies in memory"), text, _evidence(own)),)


def _gaps(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    memory = profile.tile_memory
    if memory is None or memory.total is None or memory.total_with_gaps is None or not len(memory.total):
        return NotChecked(tr("the file does not state memory both with and without gaps"))
    tile = int(memory.total_with_gaps.argmax())
    whole, own = int(memory.total_with_gaps[tile]), int(memory.total[tile])
    gaps = whole - own
    share = 100 * gaps / whole if whole > 0 else 0.0
    if share < thresholds.gaps:
        return ()
    title = tr("Large gaps on the fullest tile")
    text = sentence(
        tr(
            "Of {whole} on tile {tile:,}, {gaps} ({share}) are gaps due to alignment and memory regions.",
            whole=Amount(whole, "B"),
            tile=tile,
            gaps=Amount(gaps, "B"),
            share=Amount(share, "%"),
        )
    )
    evidence = (
        Evidence("tiles", str(tile), tr("bytes with gaps"), whole, "B", Selection("tile", (tile,))),
        Evidence("tiles", str(tile), tr("bytes without gaps"), own, "B", Selection("tile", (tile,))),
    )
    saving = Saving(gaps, "B", tr("tile {tile:,}", tile=tile), tr("bytes with gaps - bytes without"))
    return (Finding("info", title, text, evidence, saving),)


def _unused(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    values = None if profile.tile_memory is None else used(profile.tile_memory)
    if values is None or not len(values):
        return NotChecked(tr("the file has no memory per tile"))
    empty = np.flatnonzero(values == 0)
    share = 100 * len(empty) / len(values)
    if not len(empty) or share < thresholds.unused_tiles:
        return ()
    title = plural(
        "{count:,} of {tiles:,} tiles is empty",
        "{count:,} of {tiles:,} tiles are empty",
        count=len(empty),
        tiles=len(values),
    )
    text = sentence(
        tr(
            "{share} of the tiles neither compute nor store anything; they could take over work.",
            share=Amount(share, "%"),
        )
    )
    first = tuple(empty[:_MOST_LISTED].tolist())
    evidence = tuple(Evidence("tiles", str(tile), tr("bytes"), 0, "B", Selection("tile", (tile,))) for tile in first)
    return (Finding("warning", title, text, evidence),)


def _peak(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    peak = live_peak(profile)
    if peak is None:
        return NotChecked(tr("the file has no liveness of programs"))
    text = sentence(
        tr(
            "At {name}, {live} are live: {always} always, and {extra} temporarily.",
            live=Amount(peak.program, "B"),
            name=peak.name,
            always=Amount(peak.always, "B"),
            extra=Amount(peak.extra, "B"),
        )
    )
    selection = Selection("liveness", (peak.node,))
    evidence = (
        Evidence("liveness", peak.name, tr("temporarily live"), peak.extra, "B", selection),
        Evidence("tiles", "", tr("always live on all tiles"), peak.always, "B"),
        *(_variable(profile, row) for row in peak.variables),
    )
    formula = tr("temporarily live bytes at the peak")
    saving = Saving(peak.extra, "B", tr("program peak"), formula)
    return (Finding("info", tr("Memory peaks at {name}", name=peak.name), text, evidence, saving),)


def _variable(profile: Profile, row: int) -> Evidence:
    live = profile.live_variables
    assert live is not None
    selection = Selection("live_variable", (row,))
    return Evidence("live-variables", variable_name(profile, row), tr("size"), int(live.size[row]), "B", selection)


_MEMORY: Final = ("tile_memory",)


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
    Rule(
        "poplar.liveness-peak",
        tr("The memory peak and its largest variables"),
        tr("The node of the program tree with the most live bytes, and its largest variables."),
        ("liveness",),
        _peak,
    ),
    Rule(
        "poplar.code",
        tr("Large share of code"),
        tr("Bytes of the code categories / bytes of all categories."),
        _MEMORY,
        _code,
        ("code",),
    ),
    Rule(
        "poplar.gaps",
        tr("Padding and gaps"),
        tr("Bytes with gaps, compared with bytes without gaps, on the fullest tile."),
        _MEMORY,
        _gaps,
        ("gaps",),
    ),
    Rule(
        "poplar.rearranged-copies",
        tr("Memory for rearranged copies"),
        tr("Bytes of the category rearrangement / bytes of all categories."),
        _MEMORY,
        _rearranged,
        ("rearranged_copies",),
    ),
    Rule(
        "poplar.constants",
        tr("Memory for constants"),
        tr("Bytes of the category constant / bytes of all categories."),
        _MEMORY,
        _constants,
        ("constants",),
    ),
    Rule(
        "poplar.unused-tiles",
        tr("Empty tiles"),
        tr("Tiles without any bytes."),
        _MEMORY,
        _unused,
        ("unused_tiles",),
    ),
)
