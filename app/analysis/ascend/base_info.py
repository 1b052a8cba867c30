"""The base information of an operator as facts to display: each with its unit and its source."""

from __future__ import annotations

from msgspec import Struct

from app.analysis.ascend.waves import NotChecked, Waves, waves
from app.analysis.table import Unit
from app.language import joined, plural, tr
from app.profile.ascend import Operator

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
