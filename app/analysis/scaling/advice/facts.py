"""The facts that the checklist judges, and what its items share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from app.analysis.memory import verdict
from app.analysis.scaling.fit import Fit, fit
from app.analysis.scaling.host import Diagnosis, diagnose
from app.analysis.scaling.measure import Measurement
from app.analysis.scaling.model import Model
from app.analysis.scaling.points import Points
from app.analysis.table import Table
from app.language import tr
from app.profile.profile import Profile

State: TypeAlias = Literal["due", "fine", "unknown"]
Judged: TypeAlias = tuple[State, str]

WORTH: Final = 0.05
"""A share of the time that justifies action. Our own choice: the guide gives no figure."""

NEEDS_MODEL: Final = tr("needs the time of a micro-batch")
NEEDS_ALLREDUCE: Final = tr("needs the time of the allreduce, or the bytes of the gradients")
NEEDS_HOST: Final = tr("needs the time of host work or transfers, or measurements with the three kinds of data")


class Facts(Struct, frozen=True, eq=False):
    """What the checklist judges; ``memory``: the categories of two profiles compared; ``points``: the measured
    throughputs, if there is no model."""

    model: Model | None = None
    measured: Measurement | None = None
    profile: Profile | None = None
    memory: Table | None = None
    points: Points = field(default_factory=Points)

    @property
    def diagnosis(self) -> Diagnosis | None:
        """The diagnosis from the three kinds of data."""
        return self.model.diagnosis if self.model is not None else diagnose(self.points.cases)

    @property
    def fit(self) -> Fit | None:
        return self.model.fit if self.model is not None else fit(self.points.points)


class Item(Struct, frozen=True):
    """An item of the checklist: ``judge`` says whether ``what`` is to be done."""

    id: str
    title: str
    judge: Callable[[Facts], Judged]
    what: str


def shares(facts: Facts, *parts: str) -> float | None:
    """The share of these parts in a weight update at the replicas of the inputs; None without one."""
    point = facts.model.now if facts.model is not None else None
    return None if point is None else sum(point.update.share(getattr(point.update, part)) for part in parts)


def fullest(facts: Facts) -> float | None:
    """The share of its memory that the fullest tile uses; None if unknown."""
    judged = verdict(facts.profile) if facts.profile is not None else None
    return judged.share if judged is not None and judged.worst else None


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"
