"""Search over names of every kind."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from app.analysis.lookup.hit import Hit
from app.analysis.lookup.sources import sources
from app.analysis.search import search
from app.profile.poplar import ComputeSets
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.strings import Strings
from fakes.shell import ascend, bare


def hits(profile: Profile, text: str) -> list[Hit]:
    return [hit for source in sources() for hit in source.find(profile, text, lambda: None).hits]


def test_names_are_counted() -> None:
    names = Strings.of([f"load_{number}" for number in range(500)])
    profile = replace(ascend(), compute_sets=ComputeSets(count=500, names=names))
    answers = {source.id: source.find(profile, "LOAD", lambda: None) for source in sources()}
    assert [(hit.text, hit.detail) for hit in answers["slice"].hits] == [("load", "2 × slice")]
    assert len(answers["compute_set"].hits) == 200
    assert answers["compute_set"].total == 500
    assert (answers["slice"].nearness, answers["compute_set"].nearness) == (2, 1)


def test_the_nearest_name_comes_first() -> None:
    names = Strings.of(["preload", "reload", "load/x", "load", "other"])
    profile = replace(bare(), compute_sets=ComputeSets(count=5, names=names))
    assert [hit.text for hit in hits(profile, "Load")] == ["load", "load/x", "preload", "reload"]


def test_lanes_of_one_name_are_told_apart_by_their_process() -> None:
    (hit,) = hits(ascend(), "copy")
    assert (hit.text, hit.detail, hit.place().selection) == ("copy", "lane of core0", Selection("lane", (0,), "search"))
    assert [hit.text for hit in hits(ascend(), "core0")] == ["copy", "cube"]
    assert [hit.text for hit in hits(ascend(), "core0 cu")] == ["cube"]
    assert [hit.text for hit in hits(ascend(), "o cu")] == ["cube"]
    assert [hit.text for hit in hits(ascend(), "core0 c")] == ["copy", "cube"]
    assert [hit.text for hit in hits(ascend(), "cube c")] == ["cube"]


def test_found_things_come_in_the_order_of_time() -> None:
    kinds = {entry.kind: entry.indices.tolist() for entry in search(ascend(), "o")}
    assert kinds == {"lane": [0], "slice": [0, 1, 2]}
    assert [entry.indices.tolist() for entry in search(ascend(), "m")] == [[3]]


def test_all_that_bear_a_name() -> None:
    (hit,) = hits(ascend(), "store")
    assert hit.named is not None
    assert hit.named.bearing_one(hit.text_id).tolist() == [2]


def test_nothing_to_find() -> None:
    assert hits(bare(), "a") == []
    assert search(ascend(), "") == []


def test_ids_outside_of_the_texts_are_no_names() -> None:
    whole = ascend()
    assert whole.timeline is not None
    slices = replace(whole.timeline.slices, name=np.array([3, -1, 99, 5], np.int32))
    profile = replace(whole, timeline=replace(whole.timeline, slices=slices))
    assert [entry.indices.tolist() for entry in search(profile, "load")] == [[0]]
    assert [hit.count for hit in hits(profile, "load")] == [1]
