"""The base information of an operator as facts for people: each with its unit and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass

from app.analysis.ascend.waves import NotChecked, Waves, waves
from app.analysis.table import Unit
from app.profile.operator import Operator

LOWER = 0.95
"""The producer warns where the chip ran at or below this share of its rated frequency (Ascend operator files, 2.7)."""


WAVES = (
    "Blocks launched ÷ cores of the chip, rounded up: a core runs one block at a time. A vector operator has two "
    "vector cores for each AI core."
)
LAST = "How many cores still have a block when the others are done, if all blocks take the same time."
PACKING = (
    "An estimate, not a measurement: max(longest block, sum of the block durations ÷ cores), the least that these "
    "blocks can take on these cores. A block counts as long as its longest sub-block; start-up and the memory that "
    "blocks compete for are left out."
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One line; ``help`` says what it means, ``stored`` that the figure is the file's own."""

    label: str
    value: str | int | float
    unit: Unit = ""
    help: str = ""
    stored: bool = False


def facts(base: Operator) -> list[Fact]:
    """What the file says, in the order people ask, and what follows from it; what it does not say is left out."""
    stored = base.stored_type
    kind = base.type if base.type == stored else f"{base.type} (stored as {stored})"
    found: list[Fact | None] = [
        _fact("Operator type", kind, help_="Which cores it runs on: vector, cube, both (mix), or AiCore (310P)."),
        _fact("Chip", base.soc),
        _fact("Duration", base.duration_us, "µs", "The whole operator, as the file has it."),
        _fact("Blocks launched", base.block_dim, help_="block_dim in the file."),
        _fact("Subordinate blocks", base.mix_block_dim, help_="Of the second kind of core in a mix operator."),
        *wave_facts(waves(base)),
        _fact("Device", base.device_id, help_="Number of the card."),
        _fact("Process", base.pid, help_="Process id of the run."),
        _fact("Frequency", base.frequency_mhz or None, "MHz", "The clock it ran at."),
        _fact("Rated frequency", base.rated_frequency_mhz or None, "MHz", "The clock the chip is sold with."),
    ]
    if base.frequency_mhz and base.rated_frequency_mhz:
        share = 100.0 * base.frequency_mhz / base.rated_frequency_mhz
        found.append(Fact("Share of the rated frequency", share, "%", "Frequency over rated frequency."))
    return [fact for fact in found if fact is not None]


def wave_facts(found: Waves | NotChecked) -> list[Fact]:
    """In how many waves the blocks run, how full the last one is, and what a perfect packing would take."""
    if isinstance(found, NotChecked):
        return [Fact("Waves", f"not checked: {found.why}", help=WAVES)]
    blocks = f"{found.blocks:,} blocks" if found.blocks != 1 else "1 block"
    counted = f"Here {blocks} on {found.cores:,} {found.core_word}."
    facts = [
        Fact("Waves", found.count, help=f"{WAVES}\n{counted}"),
        Fact("Last wave", last_wave(found), help=LAST),
    ]
    packing = found.packing
    if packing is None:
        return [*facts, Fact("Perfect packing (estimate)", f"not checked: {found.no_packing}", help=PACKING)]
    work = f"{packing.work:.6g} µs ÷ {found.cores:,} = {packing.work / found.cores:.6g} µs"
    sums = f"Here the longest block takes {packing.longest:.6g} µs, and all blocks ÷ cores is {work}."
    return [*facts, Fact("Perfect packing (estimate)", packing.perfect, "µs", f"{PACKING}\n{sums}")]


def in_waves(found: Waves) -> str:
    """`` in 2 waves on 20 AI cores, 4 in the last``, to be said behind the number of blocks."""
    on = f"on {found.cores:,} {found.core_word}"
    return f" in 1 wave {on}" if found.count == 1 else f" in {found.count:,} waves {on}, {found.last:,} in the last"


def last_wave(found: Waves) -> str:
    """``4 of 20 AI cores``."""
    return f"{found.last:,} of {found.cores:,} {found.core_word}"


def throttled(base: Operator) -> bool:
    """Whether the chip ran clearly below its rated frequency, whatever the file advises."""
    if not base.frequency_mhz or not base.rated_frequency_mhz:
        return False
    return base.frequency_mhz <= LOWER * base.rated_frequency_mhz


def _fact(label: str, value: str | int | float | None, unit: Unit = "", help_: str = "") -> Fact | None:
    return None if value is None or value == "" else Fact(label, value, unit, help_, stored=True)
