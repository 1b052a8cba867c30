"""What identifies selected things in a link, which things of a profile these are, and links to findings and to what
they rest on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import blake2b
from operator import index as index_of
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from app.analysis.findings.finding import Evidence, Finding, Rule
from app.analysis.kinds import KINDS, traits_of
from app.analysis.kinds.spec import Trait
from app.analysis.view_links.text import MOST_THINGS, written
from app.analysis.view_links.view_link import ChosenThings, ProfileRef, Thing, ViewLink, ViewValue
from app.language import untranslated
from app.profile.arrays import Bool, among
from app.profile.profile import Profile
from app.profile.selection import Kind, Ranges, Selection, TileRange

SOURCE: Final = "link"
LONGEST: Final = 120
"""Characters of a text; of a longer one there is its beginning, and a digest."""
_DIGEST: Final = "~"
HIGHEST: Final = 65_535
"""The highest hardware number where the profile does not say how many there are."""


class Located(Struct, frozen=True):
    """``selection``: the things that the profile has; None if none. ``missing``: names of some that it does not have;
    ``lost``: how many these are."""

    selection: Selection | None
    missing: tuple[str, ...] = ()
    lost: int = 0


def chosen_of(profile: Profile, selection: Selection) -> ChosenThings:
    """The selected things, with the traits of the first of them."""
    traits = traits_of(profile, selection.kind)
    rows = len(traits[0].values) if traits else 0
    first = selection.indices[:MOST_THINGS]
    things = tuple(_thing(traits, index) for index in first) if all(index < rows for index in first) else ()
    return ChosenThings(selection.kind, selection.indices, things)


def things_named(profile: Profile, kind: Kind, indices: Sequence[int]) -> ChosenThings | None:
    """The things of a kind with these indices; None if there is no such kind, or the profile does not have all of
    them, or there are none. TypeError for indices that are not whole numbers."""
    if kind not in KINDS or not len(indices):
        return None
    traits = traits_of(profile, kind)
    rows = _highest(profile, kind) + 1 if KINDS[kind].traits is None else len(traits[0].values) if traits else 0
    if not all(0 <= index < rows for index in indices):
        return None
    return chosen_of(profile, Selection(kind, tuple(map(index_of, indices))))


def located(profile: Profile, chosen: ChosenThings, *, same: bool) -> Located:
    """The things of ``profile`` that a link names. ``same``: the files have the same content, so that indices hold for
    things without traits in the link."""
    if KINDS[chosen.kind].traits is None:
        indices = [index for index in chosen.indices if index <= _highest(profile, chosen.kind)]
        return _located(chosen, indices, [])
    traits = traits_of(profile, chosen.kind)
    rows = len(traits[0].values) if traits else 0
    indices, missing = [], []
    for place, index in enumerate(chosen.indices):
        if place >= len(chosen.things):
            if same and index < rows:
                indices.append(index)
        elif (own := _place_of(traits, chosen.things[place], index if same else None)) is not None:
            indices.append(own)
        else:
            missing.append(_name(chosen.things[place]))
    return _located(chosen, indices, missing)


def _located(chosen: ChosenThings, indices: Sequence[int], missing: Sequence[str]) -> Located:
    selection = Selection(chosen.kind, tuple(dict.fromkeys(indices)), SOURCE) if indices else None
    return Located(selection, tuple(missing), len(chosen.indices) - len(indices))


def _highest(profile: Profile, kind: Kind) -> int:
    count = KINDS[kind].count
    known = 0 if count is None else count(profile)
    return known - 1 if known else HIGHEST


def _thing(traits: Sequence[Trait], index: int) -> Thing:
    same = np.ones(len(traits[0].values), np.bool_)
    for trait in traits:
        same &= trait.values == trait.values[index]
    return Thing(tuple(_text(trait, index) for trait in traits), int(np.count_nonzero(same[:index])))


def _text(trait: Trait, index: int) -> str | None:
    value = trait.values[index]
    if trait.strings is None:
        return repr(float(value)) if trait.values.dtype.kind == "f" else str(int(value))
    if value < 0:
        return None
    text = trait.strings.get(int(value))
    return _digest_of(text) if len(text) > LONGEST or text.startswith(_DIGEST) else text


def _digest_of(text: str) -> str:
    digest = blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()
    return f"{_DIGEST}{digest}{_DIGEST}{text[: LONGEST // 2]}"


def _place_of(traits: Sequence[Trait], thing: Thing, index: int | None) -> int | None:
    """The index of a thing: ``index`` if its traits are these, else by its ordinal; None if the profile has no such
    thing."""
    if not traits or len(traits) != len(thing.traits):
        return None
    pairs = list(zip(traits, thing.traits, strict=True))
    there = index is not None and index < len(traits[0].values)
    if index is not None and there and all(_text(trait, index) == text for trait, text in pairs):
        return index
    same = np.ones(len(traits[0].values), np.bool_)
    for trait, text in zip(traits, thing.traits, strict=True):
        same &= _having(trait, text)
    rows = np.flatnonzero(same)
    return int(rows[thing.ordinal]) if thing.ordinal < len(rows) else None


def _having(trait: Trait, text: str | None) -> Bool:
    """bool[things]: those whose trait is this text or number."""
    values = trait.values
    if trait.strings is None:
        return _equal(values, text or "")
    if text is None:
        return values < 0
    if text.startswith(_DIGEST):
        beginning = text.split(_DIGEST, 2)[-1]
        alike = (place for place, one in enumerate(trait.strings) if one.startswith(beginning))
        ids = [place for place in alike if _digest_of(trait.strings[place]) == text]
    else:
        ids = trait.strings.find(text).tolist()
    having: Bool = among(values, ids)
    return having


def _equal(values: npt.NDArray[Any], text: str) -> Bool:
    """bool[things]: those with the number that ``text`` states."""
    try:
        number = float(text) if values.dtype.kind == "f" else int(text)
    except ValueError:
        return np.zeros(len(values), np.bool_)
    if math.isnan(number):
        unknown: Bool = np.isnan(values)
        return unknown
    equal: Bool = values == number
    return equal


def _name(thing: Thing) -> str:
    """What a message says of a thing that is missing: its texts."""
    return " · ".join(text for text in thing.traits if text and not text.replace(".", "").lstrip("-").isdigit())


def ranges_of(profile: Profile, ranges: Ranges) -> Ranges:
    """The ranges of a link as far as the profile has such tiles, and a timeline."""
    last = _highest(profile, "tile")
    tiles = [] if ranges.tiles is None else [tile for tile in ranges.tiles.tiles if tile <= last]
    return Ranges(ranges.time if profile.timeline is not None else None, TileRange(tuple(tiles)) if tiles else None)


FINDINGS, TABLES, ISSUES = "findings", "tables", "issues"


class FindingLinks(Struct, frozen=True):
    """The text of the link to a finding, and of one to each of its evidence; "" for a profile without files."""

    finding: str
    evidence: tuple[str, ...]


def links_of(
    profile: Profile, ref: ProfileRef, pairs: Sequence[tuple[Rule, Finding]], baseline: ProfileRef | None = None
) -> list[FindingLinks]:
    """The links of findings of ``profile``, which is read from ``ref``, in their order."""
    links: list[FindingLinks] = []
    numbers: dict[str, int] = {}
    for rule, finding in pairs:
        if not ref.paths:
            links.append(FindingLinks("", ("",) * len(finding.evidence)))
            continue
        number = numbers[rule.id] = numbers.get(rule.id, -1) + 1
        evidence = tuple(written(_evidence(profile, ref, own, baseline)) for own in finding.evidence)
        view: dict[str, ViewValue] = {"rule": rule.id, "number": number}
        links.append(FindingLinks(written(ViewLink(ref, FINDINGS, view=view, baseline=baseline)), evidence))
    return links


def _evidence(profile: Profile, ref: ProfileRef, evidence: Evidence, baseline: ProfileRef | None) -> ViewLink:
    if evidence.selection is not None:
        return ViewLink(ref, chosen=chosen_of(profile, evidence.selection), baseline=baseline)
    if evidence.table == ISSUES or not evidence.table:
        return ViewLink(ref, evidence.table, baseline=baseline)
    view: dict[str, ViewValue] = {"table": evidence.table}
    if evidence.row >= 0:
        view["row"] = evidence.row
    elif evidence.key:
        view["row"] = untranslated(evidence.key)
    return ViewLink(ref, TABLES, view=view, baseline=baseline)
