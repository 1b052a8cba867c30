"""Tiles that are too full, or unevenly so, and what takes their memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.kinds import KINDS
from app.analysis.memory import Verdict, series, used, verdict
from app.analysis.part import Amount, sentence
from app.analysis.poplar.liveness import LivePeak, live_peak, node_name, variable_name
from app.analysis.poplar.tile_amounts import rows_on
from app.analysis.time.memory import Candidate, fits_without, next_peak, peak_without, spread_floor
from app.language import Message, plural, tr
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
    fullest, over = fit.worst[0], -fit.headroom
    text = sentence(
        tr(
            "Tile {tile:,} needs {needed}. It fits if it holds {over} less. {spread}",
            tile=fullest.tile,
            needed=Amount(fullest.with_gaps, "B"),
            over=Amount(over, "B"),
            spread=_spread(profile, fit),
        )
    )
    return (Finding("error", title, text, (*evidence, *_without(fits_without(profile, fullest.tile, over)))),)


def _spread(profile: Profile, fit: Verdict) -> Message:
    """Whether the graph could fit if its memory were spread over the tiles."""
    memory = profile.tile_memory
    values = None if memory is None else used(memory)
    assert values is not None
    least = Amount(spread_floor(int(values.sum(dtype=np.int64)), fit.tiles), "B")
    share = Amount(100 * fit.total_share, "%")
    if fit.total_share > 1:
        return tr("All tiles together need {share} of their memory, so spreading is not enough.", share=share)
    return tr(
        "All tiles together use {share} of their memory: spread evenly, each needs {least}.", share=share, least=least
    )


def _without(candidates: Sequence[Candidate]) -> Iterator[Evidence]:
    """Whether the tile fits without each."""
    for one in candidates:
        table, selection = KINDS[one.kind].tables[0], Selection(one.kind, (one.item,))
        if one.still_over:
            yield Evidence(table, one.name, tr("without it, still over the limit by"), one.still_over, "B", selection)
        else:
            yield Evidence(table, one.name, tr("fits without it; it takes"), one.bytes, "B", selection)


def _imbalance(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    memory = profile.tile_memory
    values = None if memory is None else used(memory)
    if values is None or not len(values):
        return NotChecked(tr("the file has no memory per tile"))
    fullest, mean = int(values.argmax()), float(values.mean())
    largest = int(values[fullest])
    least = spread_floor(int(values.sum(dtype=np.int64)), len(values))
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
    saving = Saving(largest - least, "B", tr("tile {tile:,}", tile=fullest), tr("fullest tile - mean of all tiles"))
    return (Finding("warning" if full else "info", title, text, evidence, saving),)


_MOST_LISTED: Final = 5


class _Share(Struct, frozen=True):
    """Categories on the fullest tile: their ``bytes`` by name, largest first, and their ``share`` of its bytes without
    gaps, in percent."""

    tile: int
    bytes: dict[str, int]
    share: float

    @property
    def total(self) -> int:
        return sum(self.bytes.values())


def _share_of(profile: Profile, wanted: tuple[str, ...]) -> _Share | NotChecked:
    """The categories whose names end in one of ``wanted``; only bytes that are not shared between variables."""
    made = series(profile, "category", gaps=False)
    values = None if profile.tile_memory is None else used(profile.tile_memory)
    if made is None or values is None or not len(values):
        return NotChecked(tr("the file has no memory by category"))
    tile = int(values.argmax())
    if made.total[tile] <= 0:
        return NotChecked(tr("the file has no memory by category"))
    own = {
        part.key: int(part.values[tile]) for part in made.parts if part.key.endswith(wanted) and part.values[tile] > 0
    }
    own = dict(sorted(own.items(), key=lambda pair: -pair[1]))
    return _Share(tile, own, 100 * sum(own.values()) / int(made.total[tile]))


def _of_categories(own: _Share, title: str, text: Message) -> Finding:
    evidence = tuple(
        Evidence("memory-by-category", name, tr("bytes on tile {tile:,}", tile=own.tile), amount, "B")
        for name, amount in list(own.bytes.items())[:_MOST_LISTED]
    )
    saving = Saving(
        own.total, "B", tr("tile {tile:,}", tile=own.tile), tr("bytes of these categories on the fullest tile")
    )
    return Finding("info", title, sentence(text), evidence, saving)


def _code(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = _share_of(profile, ("Code", "CodeStorage"))
    if isinstance(own, NotChecked):
        return own
    if own.share < thresholds.code:
        return ()
    text = tr(
        "{size} of code, {share} of the memory of the fullest tile without gaps. Fewer different vertices and "
        "exchanges, and called instead of inlined functions, make it smaller.",
        size=Amount(own.total, "B"),
        share=Amount(own.share, "%"),
    )
    return (_of_categories(own, tr("Large share of code in memory"), text),)


def _constants(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = _share_of(profile, ("constant",))
    if isinstance(own, NotChecked):
        return own
    if own.share < thresholds.constants:
        return ()
    text = tr(
        "{size} of constants, {share} of the memory of the fullest tile without gaps. They stay on the tile for the "
        "whole run. Streaming them saves memory and costs time.",
        size=Amount(own.total, "B"),
        share=Amount(own.share, "%"),
    )
    return (_of_categories(own, tr("Large share of constants in memory"), text),)


def _rearranged(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = _share_of(profile, ("rearrangement",))
    if isinstance(own, NotChecked):
        return own
    if own.share < thresholds.rearranged_copies:
        return ()
    text = tr(
        "{size} of rearranged copies, {share} of the memory of the fullest tile without gaps. Allocating tensors in "
        "the layout of their consumers avoids copies.",
        size=Amount(own.total, "B"),
        share=Amount(own.share, "%"),
    )
    return (_of_categories(own, tr("Large share of rearranged copies in memory"), text),)


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


def _always(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    memory = profile.tile_memory
    values = None if memory is None else used(memory)
    if memory is None or memory.always_live is None or values is None or not len(values):
        return NotChecked(tr("the file does not state what is always live on each tile"))
    tile = int(values.argmax())
    whole, always = int(values[tile]), int(memory.always_live[tile])
    if whole <= 0 or 100 * always < thresholds.always_live * whole:
        return ()
    fit = verdict(profile)
    full = fit is not None and 100 * fit.share >= thresholds.memory_full
    text = sentence(
        tr(
            "{always} of {whole} on the fullest tile are live during the whole run ({share}). Storing fewer of these "
            "variables on the tile, or streaming them, leaves room for what is live temporarily.",
            always=Amount(always, "B"),
            whole=Amount(whole, "B"),
            share=Amount(100 * always / whole, "%"),
        )
    )
    evidence = (
        Evidence("tiles", str(tile), tr("always live"), always, "B", Selection("tile", (tile,))),
        *_always_live(profile, tile, max(-fit.headroom, 0) if fit is not None else 0),
    )
    saving = Saving(min(always, whole), "B", tr("tile {tile:,}", tile=tile), tr("always live on the fullest tile"))
    title = tr("Large share of tile {tile:,} is always live", tile=tile)
    return (Finding("warning" if full else "info", title, text, evidence, saving),)


def _always_live(profile: Profile, tile: int, over: int) -> Iterator[Evidence]:
    """The largest variables of the tile that are always live; if it is ``over`` its limit, whether it fits without
    each."""
    variables = profile.variables
    if variables is None:
        return
    rows, _ = rows_on(variables, np.array([tile], np.int64))
    rows = rows[variables.always_live[rows] & (variables.size[rows] > 0)][:_MOST_LISTED]
    for row, size in zip(rows.tolist(), variables.size[rows].tolist(), strict=True):
        name = variables.strings.get(int(variables.name[row]))
        if over:
            yield from _without((Candidate("variable", row, name, size, max(over - size, 0)),))
        else:
            yield Evidence("variables", name, tr("size"), size, "B", Selection("variable", (row,)))


def _peak(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    peak, tree = live_peak(profile), profile.liveness
    if peak is None or tree is None:
        return NotChecked(tr("the file has no liveness of programs"))
    following, rest = next_peak(tree, peak.node)
    saved, formula = peak.extra - rest, tr("peak - next peak, of what is live at the peak only")
    falls = _falls(profile, peak)
    if falls and max(falls.values()) > saved:
        row = max(falls, key=lambda row: falls[row])
        saved, formula = falls[row], tr("peak - peak without {name}", name=variable_name(profile, row))
    if saved <= 0:
        return ()
    text = sentence(
        tr(
            "At {name}, {live} are live: {always} always, and {extra} temporarily. The next peak has {rest} "
            "temporarily.",
            live=Amount(peak.program, "B"),
            name=peak.name,
            always=Amount(peak.always, "B"),
            extra=Amount(peak.extra, "B"),
            rest=Amount(rest, "B"),
        )
    )
    selection = Selection("liveness", (peak.node,))
    evidence = [
        Evidence("liveness", peak.name, tr("temporarily live"), peak.extra, "B", selection),
        Evidence("tiles", "", tr("always live on all tiles"), peak.always, "B"),
        *(_variable(profile, row) for row in peak.variables),
    ]
    if following >= 0:
        name, selection = node_name(profile, following), Selection("liveness", (following,))
        evidence.append(Evidence("liveness", name, tr("next peak, temporarily live"), rest, "B", selection))
    for row, fall in falls.items():
        name, selection = variable_name(profile, row), Selection("live_variable", (row,))
        evidence.append(Evidence("live-variables", name, tr("without it, the peak falls by"), fall, "B", selection))
    saving = Saving(saved, "B", tr("program peak"), formula)
    return (Finding("info", tr("Memory peaks at {name}", name=peak.name), text, tuple(evidence), saving),)


def _falls(profile: Profile, peak: LivePeak) -> dict[int, int]:
    """By how many bytes the peak falls without each of its variables, where it does."""
    tree, live = profile.liveness, profile.live_variables
    if tree is None or live is None:
        return {}
    falls = {row: peak.extra - peak_without(tree, live, (row,))[1] for row in peak.variables if not live.always[row]}
    return {row: fall for row, fall in falls.items() if fall > 0}


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
        tr("The node of the program tree with the most live bytes, its largest variables, and the next peak."),
        ("liveness",),
        _peak,
    ),
    Rule(
        "poplar.code",
        tr("Large share of code"),
        tr("Bytes of the code categories / bytes of all categories, on the fullest tile."),
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
        tr("Bytes of the category rearrangement / bytes of all categories, on the fullest tile."),
        _MEMORY,
        _rearranged,
        ("rearranged_copies",),
    ),
    Rule(
        "poplar.constants",
        tr("Memory for constants"),
        tr("Bytes of the category constant / bytes of all categories, on the fullest tile."),
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
    Rule(
        "poplar.always-live",
        tr("Variables that are always live"),
        tr("Bytes that are always live on the fullest tile, compared with all of its bytes."),
        _MEMORY,
        _always,
        ("always_live", "memory_full"),
    ),
)
