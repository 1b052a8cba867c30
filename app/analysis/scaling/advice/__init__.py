"""The guide's advice as a checklist, judged by the figures (Scaling over replicas, chapter 7)."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from app.analysis.scaling.advice import host, ipus, run
from app.analysis.scaling.advice.facts import Facts, State

__all__ = ["Advice", "Facts", "State", "checklist"]

_ITEMS: Final = (*host.ITEMS, *ipus.ITEMS, *run.ITEMS)
_ORDER: Final[tuple[State, ...]] = ("due", "unknown", "fine")


class Advice(Struct, frozen=True):
    """``figures``: why it is due or not, or what needs to be known; ``what``: what to do."""

    id: str
    title: str
    state: State
    figures: str
    what: str


def checklist(facts: Facts) -> list[Advice]:
    """The items that are due, then the unknown ones, then those that are fine; each in the guide's order."""
    made = [Advice(item.id, item.title, *item.judge(facts), item.what) for item in _ITEMS]
    return sorted(made, key=lambda item: _ORDER.index(item.state))
