"""Search by name. Only the string table is searched, so a million slices cost only their distinct names."""

from __future__ import annotations

from functools import partial

import numpy as np

from app.analysis.kinds import KINDS
from app.analysis.kinds.spec import KindSpec, Named, no_names
from app.analysis.lookup.hit import MOST, NOTHING, SOURCE, Answer, Hit, Pause, Source, Target, shortened
from app.analysis.matching import matching_texts
from app.language import tr
from app.profile.arrays import I64, Bool, Integers, distinct
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.profile.strings import Strings

FEW = 100
"""Searching one text by itself costs as much as searching this many together."""


def sources() -> tuple[Source, ...]:
    """One source per kind with names; instructions are searched with their addresses elsewhere."""
    return tuple(
        Source(spec.kind, spec.title, partial(by_name, spec))
        for spec in KINDS.values()
        if spec.names is not no_names and spec.searched
    )


def by_name(spec: KindSpec, profile: Profile, text: str, pause: Pause) -> Answer:
    """Names that contain ``text``: exact matches first, then prefixes, each by the number of things with that name."""
    hits: list[Hit] = []
    total = nearness = 0
    for named in spec.names(profile):
        pause()
        answer = _answer(spec, profile, named, text)
        hits += answer.hits
        total += answer.total
        nearness = max(nearness, answer.nearness)
    return Answer(tuple(hits[:MOST]), total, nearness)


def called(profile: Profile, kind: Kind, name: str) -> Selection | None:
    """All things of a kind with exactly this name, or the one with this number; None if there are none."""
    spec = KINDS[kind]
    for named in spec.names(profile):
        for text_id in named.strings.find(name).tolist():
            bearers = named.bearing_one(text_id).tolist()
            if bearers:
                return Selection(kind, tuple(bearers), SOURCE)
    if spec.count is not None and name.isdecimal() and int(name) < spec.count(profile):
        return Selection(kind, (int(name),), SOURCE)
    return None


def _answer(spec: KindSpec, profile: Profile, named: Named, text: str) -> Answer:
    if not len(named.strings):
        return NOTHING
    if spec.owners is not None:
        return _one_by_one(spec, named, spec.owners(profile), text)
    matched = np.flatnonzero(matching_texts(named.strings, text))
    if not len(matched):
        return NOTHING
    counts = named.counts()
    matched = matched[counts[matched] > 0]
    if not len(matched):
        return NOTHING
    near = _nearness(named.strings, matched, text)
    best = matched[np.lexsort((-counts[matched], -near))]
    hits = tuple(_hit(spec, named, index, int(counts[index]), text) for index in best[:MOST].tolist())
    return Answer(hits, len(best), int(near.max()))


def _hit(spec: KindSpec, named: Named, text_id: int, count: int, text: str) -> Hit:
    detail = f"{count:,} × {spec.one}" if count > 1 else spec.one
    return Hit(shortened(named.strings[text_id], text), detail, Target(), count, spec.kind, named, text_id)


def _one_by_one(spec: KindSpec, named: Named, owners: Integers, text: str) -> Answer:
    """A hit for each thing whose name and owner together contain all words of ``text``."""
    ids = named.ids if named.ids is not None else np.arange(len(named.strings))
    both = np.ones(len(ids), np.bool_)
    used = distinct(np.concatenate((ids, owners)))
    for word in text.split():
        known = _matching(named.strings, used, word)
        both &= known[ids] | known[owners]
    things = np.flatnonzero(both)
    if not len(things):
        return NOTHING
    texts = np.maximum(ids[things], 0).astype(np.int64)
    near = np.max([_nearness(named.strings, texts, word) for word in (text, *text.split())], axis=0)
    hits = []
    for thing in things[np.argsort(-near, kind="stable")][:MOST].tolist():
        owner = shortened(named.strings.get(int(owners[thing])))
        detail = tr("{one} of {owner}", one=spec.one, owner=owner) if owner else spec.one
        target = Target(Selection(spec.kind, (thing,), SOURCE))
        name = named.strings.get(int(ids[thing]))
        hits.append(Hit(shortened(name, text) or f"{spec.one} {thing:,}", detail, target))
    return Answer(tuple(hits), len(things), int(near.max()))


def _matching(strings: Strings, used: Integers, word: str) -> Bool:
    """bool[texts + 1]: which of the ``used`` texts match; the last entry, which -1 reads, is False. If only few texts
    of a long list are used (lanes share it with slices), they are checked one by one."""
    if len(used) * FEW < len(strings):
        known = np.zeros(len(strings) + 1, np.bool_)
        for text_id in used.tolist():
            known[text_id] = word.casefold() in strings.get(text_id).casefold()
        known[-1] = False
        return known
    return np.append(matching_texts(strings, word), False)


def _nearness(strings: Strings, ids: I64, text: str) -> I64:
    """int64: 2 for texts equal to ``text`` (ignoring the case of ASCII letters), 1 for those that begin with it, else
    0."""
    wanted = text.encode("utf-8", "backslashreplace")
    begins = np.where(ids > 0, strings.ends[np.maximum(ids - 1, 0)], 0)
    same = strings.ends[ids] - begins >= len(wanted)
    for place, byte in enumerate(wanted):
        here = strings.blob[np.minimum(begins + place, len(strings.blob) - 1)]
        other = bytes([byte]).swapcase()[0]
        same &= (here == byte) | (here == other)
    whole = same & (strings.ends[ids] - begins == len(wanted))
    nearness: I64 = same.astype(np.int64) + whole
    return nearness
