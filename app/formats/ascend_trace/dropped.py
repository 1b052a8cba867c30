"""Counts events that are not shown, by reason and phase, so that nothing is left out silently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from app.formats.ascend_trace.places import BEYOND, MAX_LANES, NOWHERE
from app.language import joined, tr
from app.profile.arrays import I32, U8, Bool

KNOWN = {
    "N": tr("object created"), "O": tr("object snapshot"), "D": tr("object destroyed"), "P": tr("sample"),
    "V": tr("memory dump"), "v": tr("memory dump"), "c": tr("clock sync"), "(": tr("context begin"),
    ")": tr("context end"), "=": tr("linked id"), "M": tr("metadata"), "C": tr("counter"),
}  # fmt: skip
"""Names in the trace event format of phases that have no place on a timeline."""
_MOST = 12


class Dropped:
    """Counts of events by reason and phase."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()

    def __len__(self) -> int:
        return sum(self.counts.values())

    def add(self, reason: str, phase: U8) -> None:
        """Counts events that are not shown for ``reason``; ``phase``: uint8[events], the phase characters."""
        for character, count in enumerate(np.bincount(phase).tolist()):
            if count:
                self.counts[reason, chr(character)] += count

    def unplaced(self, timed: Bool, place: I32, phase: U8) -> None:
        """Counts the events that are not ``timed``, and the timed ones without a place."""
        self.add(tr("no time"), phase[~timed])
        self.add(tr("no process and thread"), phase[timed & (place == NOWHERE)])
        self.add(tr("lane beyond the first {max_lanes:,}", max_lanes=MAX_LANES), phase[timed & (place == BEYOND)])

    def reasons(self) -> Iterator[str]:
        """Yields a phrase for each reason with its phases, in the order of first appearance."""
        for reason in dict.fromkeys(reason for reason, _ in self.counts):
            phases = {phase: count for (why, phase), count in self.counts.items() if why == reason}
            total = sum(phases.values())
            yield tr("{count:,} × {reason} ({phases})", count=total, reason=reason, phases=_listed(phases))


def _listed(phases: dict[str, int]) -> str:
    """The phases with their counts as text, the most frequent first."""
    ranked = sorted(phases.items(), key=lambda entry: (-entry[1], entry[0]))
    words = [tr("{count:,} of phase {called}", count=count, called=_called(phase)) for phase, count in ranked[:_MOST]]
    rest = dict(ranked[_MOST:])
    if rest:
        words.append(tr("{count:,} of {phases:,} other phases", count=sum(rest.values()), phases=len(rest)))
    return joined(", ", words)


def _called(phase: str) -> str:
    quoted = repr(phase) if phase else "(none)"
    return f"{quoted}, {KNOWN[phase]}" if phase in KNOWN else quoted
