"""How far figures rest on registers: dependencies that no flag or arrow of the file states."""

from __future__ import annotations

from msgspec import Struct

from app.analysis.time.graph import Graph
from app.analysis.time.links import REGISTERS
from app.analysis.time.path import Path
from app.language import Message, joined, plural


class RegisterTrust(Struct, frozen=True):
    """``dependencies`` by registers; ``unsure``: registers that something reads of which the last writer is uncertain
    or had not ended, which are skipped; ``share``: of the span, 0..1, that is gaps with such a cause."""

    dependencies: int
    unsure: int
    share: float


def register_trust(graph: Graph, path: Path) -> RegisterTrust | None:
    """None for a graph in which registers play no part."""
    own = graph.origin == REGISTERS
    if not own.any() and not len(graph.unsure):
        return None
    times = path.times
    span, waited = float(times.sum()), float(times[path.origin == REGISTERS].sum())
    return RegisterTrust(int(own.sum()), len(graph.unsure), waited / span if span > 0 else 0.0)


def register_note(trust: RegisterTrust) -> Message:
    """The same as sentences."""
    text = plural(
        "No flags or arrows in the file: {count:,} dependency is inferred from registers. It explains gaps of "
        "{share} % of the critical path.",
        "No flags or arrows in the file: {count:,} dependencies are inferred from registers. They explain gaps of "
        "{share} % of the critical path.",
        count=trust.dependencies,
        share=f"{100 * trust.share:.1f}",
    )
    if not trust.unsure:
        return text
    skipped = plural(
        "{count:,} read of a register is skipped: its writer is uncertain.",
        "{count:,} reads of registers are skipped: their writers are uncertain.",
        count=trust.unsure,
    )
    return joined(" ", (text, skipped))
