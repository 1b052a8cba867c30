"""The place in a profile that a link leads to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, field

from app.profile.selection import Kind, Ranges

ViewValue: TypeAlias = "bool | int | float | str | list[str]"
ViewState: TypeAlias = Mapping[str, ViewValue]
"""How a panel shows its content, by name: zoom, order, filter, what its choosers say."""


class ProfileRef(Struct, frozen=True):
    """A profile: the files that it is read from (a folder, if they are many), the fingerprint of their content ("":
    not known), and which part of it is meant ("": the whole)."""

    paths: tuple[Path, ...]
    content: str = ""
    part: str = ""


class Thing(Struct, frozen=True):
    """What identifies a selected thing when its index is another one: ``traits`` as texts, in the order of its kind
    (None: it has none); ``ordinal``: its place among things whose traits are equal."""

    traits: tuple[str | None, ...]
    ordinal: int


class ChosenThings(Struct, frozen=True):
    """Selected things of a kind, and the traits of the first of them (none where an index is a hardware number)."""

    kind: Kind
    indices: tuple[int, ...]
    things: tuple[Thing, ...] = ()


class ViewLink(Struct, frozen=True):
    """``panel``: the id of the panel in front ("": that of the selection); ``view``: how it shows its content."""

    profile: ProfileRef
    panel: str = ""
    chosen: ChosenThings | None = None
    ranges: Ranges = Ranges()
    view: ViewState = field(default_factory=dict)
    baseline: ProfileRef | None = None
