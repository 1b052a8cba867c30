"""What a rule says about a profile, with its evidence."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from app.analysis.part import Words
from app.analysis.table import Unit
from app.profile.issue import Severity
from app.profile.selection import Selection

Confidence: TypeAlias = Literal["measured", "estimated"]
"""Whether the statement follows from figures of the file, or from a model of the hardware."""


class Evidence(Struct, frozen=True):
    """A figure that a finding rests on: ``value`` (in ``unit``) of ``figure``, in the row ``key`` of the table
    ``table`` ("" if it stands in no table). ``selection``: the thing that the row is about."""

    table: str
    key: str
    figure: str
    value: float | str
    unit: Unit = ""
    selection: Selection | None = None


class Saving(Struct, frozen=True):
    """An upper bound of what mending it could save of ``scope`` (the operator, the run, a tile), in ``unit``;
    ``formula``: how it was computed."""

    at_most: float
    unit: Unit
    scope: str
    formula: str


class Finding(Struct, frozen=True):
    """``title``: one line; ``text``: the explanation. *error*: it stops the work, or figures contradict each other;
    *warning*: it costs much; *info*: the rest."""

    severity: Severity
    title: str
    text: Words
    evidence: tuple[Evidence, ...]
    saving: Saving | None = None
    confidence: Confidence = "measured"


class NotChecked(Struct, frozen=True):
    """``why`` a rule cannot be applied to a profile: what the file lacks."""

    why: str
