"""How the blocks of an operator ran: their names, how long, and whether that is plausible; in how many waves, and
how long a perfect packing would take; the base information as facts, each with its unit and its source."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.ascend.cores import VECTOR_CORES, ai_cores
from app.analysis.table import Unit
from app.language import joined, plural, tr
from app.profile.arrays import F64, I64
from app.profile.ascend import Operator, TypedColumn
from app.profile.profile import Profile

TOLERANCE = 1.001
"""Blocks and operator are measured separately: 0.1 % more is not yet a contradiction."""


def duration_columns(operator: Operator) -> tuple[TypedColumn, ...]:
    """The columns of the block table that hold durations."""
    return tuple(column for column in operator.blocks if "duration" in column.name.lower() and column.numeric)


def of_blocks(operator: Operator) -> F64:
    """float64[blocks, sub-blocks]: durations as stored; NaN no data."""
    columns = [
        np.where(column.missing(0), np.nan, column.of_core(0).astype(np.float64))
        for column in duration_columns(operator)
    ]
    rows = len(operator.blocks[0].values) if operator.blocks else 0
    return np.stack(columns, axis=1) if columns else np.empty((rows, 0))


class Spread(Struct, frozen=True):
    """Statistics over all blocks that have a duration for this kind of sub-block; ``block`` is the row of the
    longest."""

    name: str
    mean: float
    median: float
    longest: float
    block: int


def spreads(operator: Operator) -> list[Spread]:
    """One for each duration column that has data."""
    stored = of_blocks(operator)
    result = []
    for place, name in enumerate(sub_block_names(operator)):
        values = stored[:, place]
        if not np.isnan(values).all():
            longest = int(np.nanargmax(values))
            result.append(
                Spread(name, float(np.nanmean(values)), float(np.nanmedian(values)), float(values[longest]), longest)
            )
    return result


def sub_block_names(operator: Operator) -> tuple[str, ...]:
    """The sub-block of each duration column: Cube0 for "Cube0 Duration (us)"; "Duration" for that of the block
    itself."""
    titles = (column.name for column in duration_columns(operator))
    names = (re.sub(r"\s*duration\s*(\([^)]*\))?\s*", " ", title, flags=re.IGNORECASE).strip() for title in titles)
    return tuple(name or tr("Duration") for name in names)


def doubtful(operator: Operator) -> bool:
    """Whether some block is longer than the whole operator: then the unit of the block durations is not what their
    titles say (Ascend operator files, section 2.1, rule 6)."""
    stored = of_blocks(operator)
    if operator.duration_us is None or not stored.size:
        return False
    return bool((stored > TOLERANCE * operator.duration_us).any())


def block_names(operator: Operator) -> tuple[str, ...]:
    """Names of the rows of the block table: their block ids, else their indices."""
    rows = len(operator.blocks[0].values) if operator.blocks else 0
    column = next((one for one in operator.blocks if one.name.lower() == "block id"), None)
    if column is None:
        return tuple(str(row) for row in range(rows))
    codes = column.of_core(0).tolist()
    if column.strings is None:
        return tuple(str(int(code)) if code == code and code >= 0 else "" for code in codes)
    return tuple(column.strings.get(code) for code in codes)


CORE_WORDS: Final[dict[str, str]] = {
    "cube": tr("AI cores"),
    "mix": tr("AI cores"),
    "aicore": tr("AI cores"),
    "vector": tr("vector cores"),
}
"""The cores that the blocks of each operator type run on."""


class Packing(Struct, frozen=True):
    """Durations in µs: ``work`` of all blocks together, ``longest`` of a single one, and ``perfect``, the least that
    these blocks can take on the cores: max(longest, work / cores). A block takes as long as its longest sub-block."""

    work: float
    longest: float
    perfect: float


class Waves(Struct, frozen=True):
    """``blocks`` on ``cores`` (displayed as ``core_word``) run in ``count`` waves, the last of which has ``last``
    blocks; if ``packing`` is None, ``no_packing`` says why."""

    blocks: int
    cores: int
    core_word: str
    count: int
    last: int
    packing: Packing | None
    no_packing: str = ""


class NotChecked(Struct, frozen=True):
    """``why`` the waves are unknown; ``code``: the same for programs."""

    code: str
    why: str


def waves(base: Operator) -> Waves | NotChecked:
    """ceil(blocks / cores) waves: each core runs one block at a time and takes the next when it is free."""
    blocks = base.block_dim if base.block_dim is not None else len(of_blocks(base))
    if blocks <= 0:
        return NotChecked("no-block-count", tr("the file does not state how many blocks were launched"))
    if not base.soc:
        return NotChecked("no-chip", tr("the file does not name the chip"))
    core_word = CORE_WORDS.get(base.type.lower())
    if core_word is None:
        why = tr("the kind of cores for an operator of type “{type}” is unknown", type=base.type or "unknown")
        return NotChecked("unknown-type", why)
    cores = ai_cores(base.soc) * (VECTOR_CORES if base.type.lower() == "vector" else 1)
    if not cores:
        return NotChecked("unknown-chip", tr("the number of cores of {soc} is unknown", soc=base.soc))
    count = -(-blocks // cores)
    packing = _packing(base, blocks, cores)
    last = blocks - (count - 1) * cores
    if isinstance(packing, str):
        return Waves(blocks, cores, core_word, count, last, None, packing)
    return Waves(blocks, cores, core_word, count, last, packing)


def _packing(base: Operator, blocks: int, cores: int) -> Packing | str:
    """The packing, or why there is none."""
    if doubtful(base):
        return tr("the unit of the block durations is doubtful")
    stored = of_blocks(base)
    known = stored[~np.isnan(stored).all(axis=1)] if stored.size else stored[:0]
    if len(known) != blocks:
        return tr("the file has durations for only {count:,} of {blocks:,} blocks", count=len(known), blocks=blocks)
    length = np.fmax.reduce(known, axis=1)
    work, longest = float(length.sum()), float(length.max())
    return Packing(work, longest, max(longest, work / cores))


def with_chip(profile: Profile, soc: str) -> Profile:
    """The profile with this chip, if it is that of an operator whose files do not name one."""
    operator = profile.operator
    if operator is None or operator.soc:
        return profile
    return profile.with_section(replace(operator, soc=soc))


LOWER = 0.95
"""The producer warns where the chip ran at or below this share of its rated frequency (Ascend operator files, 2.7)."""


WAVES = tr(
    "Blocks launched ÷ cores of the chip, rounded up: each core runs one block at a time. A vector operator has two "
    "vector cores for each AI core."
)
LAST = tr("Cores that still run a block when the others are done, if all blocks take the same time.")
PACKING = tr(
    "An estimate, not a measurement: max(longest block, sum of the block durations ÷ cores), the shortest time in "
    "which these cores can run these blocks. A block counts with its longest sub-block. Start-up and contention for "
    "memory are not included."
)


class Fact(Struct, frozen=True):
    """One line; ``help`` says what it means, ``stored`` that the figure is the file's own."""

    label: str
    value: str | int | float
    unit: Unit = ""
    help: str = ""
    stored: bool = False


def facts(base: Operator) -> list[Fact]:
    """What the file says, in the order people ask, and what follows from it; unknown values are left out."""
    stored = base.stored_type
    kind = base.type if base.type == stored else tr("{type} (stored as {stored})", type=base.type, stored=stored)
    listed: list[Fact | None] = [
        _fact(
            tr("Operator type"), kind, help_=tr("Which cores it runs on: vector, cube, both (mix), or AiCore (310P).")
        ),
        _fact(tr("Chip"), base.soc),
        _fact(tr("Duration"), base.duration_us, "µs", tr("Duration of the whole operator, from the file.")),
        _fact(tr("Blocks launched"), base.block_dim, help_=tr("block_dim in the file.")),
        _fact(
            tr("Subordinate blocks"),
            base.mix_block_dim,
            help_=tr("Blocks of the second kind of core in a mix operator."),
        ),
        *wave_facts(waves(base)),
        _fact(tr("Device"), base.device_id, help_=tr("Number of the card.")),
        _fact(tr("Process"), base.pid, help_=tr("Process id of the run.")),
        _fact(tr("Frequency"), base.frequency_mhz or None, "MHz", tr("The clock frequency of the run.")),
        _fact(
            tr("Rated frequency"),
            base.rated_frequency_mhz or None,
            "MHz",
            tr("The nominal clock frequency of the chip."),
        ),
    ]
    if base.frequency_mhz and base.rated_frequency_mhz:
        share = 100.0 * base.frequency_mhz / base.rated_frequency_mhz
        listed.append(Fact(tr("Share of the rated frequency"), share, "%", tr("Frequency / rated frequency.")))
    return [fact for fact in listed if fact is not None]


def wave_facts(own: Waves | NotChecked) -> list[Fact]:
    """In how many waves the blocks run, how full the last one is, and what a perfect packing would take."""
    if isinstance(own, NotChecked):
        return [Fact(tr("Waves"), tr("not checked: {why}", why=own.why), help=WAVES)]
    blocks = plural("{count:,} block", "{count:,} blocks", count=own.blocks)
    counted = tr("Here {blocks} on {cores:,} {core_word}.", blocks=blocks, cores=own.cores, core_word=own.core_word)
    facts = [
        Fact(tr("Waves"), own.count, help=joined("\n", (WAVES, counted))),
        Fact(tr("Last wave"), last_wave(own), help=LAST),
    ]
    packing = own.packing
    if packing is None:
        return [
            *facts,
            Fact(
                tr("Perfect packing (estimate)"),
                tr("not checked: {no_packing}", no_packing=own.no_packing),
                help=PACKING,
            ),
        ]
    work = f"{packing.work:.6g} µs ÷ {own.cores:,} = {packing.work / own.cores:.6g} µs"
    sums = tr(
        "Here the longest block takes {longest} µs, and all blocks ÷ cores is {work}.",
        longest=f"{packing.longest:.6g}",
        work=work,
    )
    return [*facts, Fact(tr("Perfect packing (estimate)"), packing.perfect, "µs", joined("\n", (PACKING, sums)))]


def in_waves(own: Waves, blocks: str) -> str:
    """``24 blocks in 2 waves on 20 AI cores, 4 in the last`` for the text ``blocks``."""
    return plural(
        "{blocks} in 1 wave on {cores:,} {core_word}",
        "{blocks} in {count:,} waves on {cores:,} {core_word}, {last:,} in the last",
        count=own.count,
        blocks=blocks,
        cores=own.cores,
        core_word=own.core_word,
        last=own.last,
    )


def last_wave(own: Waves) -> str:
    """``4 of 20 AI cores``."""
    return tr("{last:,} of {cores:,} {core_word}", last=own.last, cores=own.cores, core_word=own.core_word)


def throttled(base: Operator) -> bool:
    """Whether the chip ran clearly below its rated frequency, whatever the file advises."""
    if not base.frequency_mhz or not base.rated_frequency_mhz:
        return False
    return base.frequency_mhz <= LOWER * base.rated_frequency_mhz


def _fact(label: str, value: str | int | float | None, unit: Unit = "", help_: str = "") -> Fact | None:
    return None if value is None or value == "" else Fact(label, value, unit, help_, stored=True)


def block_number(name: str) -> int:
    """The number of a block by its name; -1 for the mean of several ("NA") and other texts."""
    return int(name) if name.isascii() and name.isdigit() and len(name) < 10 else -1


def block_keys(base: Operator) -> I64:
    """int64[rows of the block table]: the number of each block, -1 for unnumbered ones."""
    if not any(column.name.lower() == "block id" for column in base.blocks):
        return np.full(len(base.blocks[0].values) if base.blocks else 0, -1, np.int64)
    return np.array([block_number(name) for name in block_names(base)], np.int64)
