"""The base information of an operator as facts for people: each with its unit and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass

from app.analysis.table import Unit
from app.profile.operator import Operator

LOWER = 0.95
"""The producer warns where the chip ran at or below this share of its rated frequency (Ascend operator files, 2.7)."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line; ``help`` says what it means."""

    label: str
    value: str | int | float
    unit: Unit = ""
    help: str = ""


def facts(base: Operator) -> list[Fact]:
    """What the file says, in the order people ask; what it does not say is left out."""
    stored = base.stored_type
    kind = base.type if base.type == stored else f"{base.type} (stored as {stored})"
    found: list[Fact | None] = [
        _fact("Type", kind, help_="Which cores it runs on: vector, cube, both (mix), or AiCore (310P)."),
        _fact("Chip", base.soc),
        _fact("Duration", base.duration_us, "µs", "The whole operator, as the file has it."),
        _fact("Blocks", base.block_dim, help_="How many blocks were launched (block_dim)."),
        _fact("Subordinate blocks", base.mix_block_dim, help_="Of the second kind of core in a mix operator."),
        _fact("Device", base.device_id, help_="Number of the card."),
        _fact("Process", base.pid, help_="Process id of the run."),
        _fact("Frequency", _hertz(base.frequency_mhz), "Hz", "The clock it ran at."),
        _fact("Rated frequency", _hertz(base.rated_frequency_mhz), "Hz", "The clock the chip is sold with."),
    ]
    if base.frequency_mhz and base.rated_frequency_mhz:
        share = 100.0 * base.frequency_mhz / base.rated_frequency_mhz
        found.append(Fact("Share of the rated frequency", share, "%", "Frequency over rated frequency."))
    return [fact for fact in found if fact is not None]


def throttled(base: Operator) -> bool:
    """Whether the chip ran clearly below its rated frequency, whatever the file advises."""
    if not base.frequency_mhz or not base.rated_frequency_mhz:
        return False
    return base.frequency_mhz <= LOWER * base.rated_frequency_mhz


def _fact(label: str, value: str | int | float | None, unit: Unit = "", help_: str = "") -> Fact | None:
    return None if value is None or value == "" else Fact(label, value, unit, help_)


def _hertz(mhz: float | None) -> float | None:
    return mhz * 1e6 if mhz else None
