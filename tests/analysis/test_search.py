"""Search over names of every kind."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.analysis.search import Search
from app.profile.compute_sets import ComputeSets
from app.profile.strings import Strings
from fakes.shell import ascend, bare


def test_names_are_counted_and_kinds_take_turns() -> None:
    names = Strings.of([f"load_{number}" for number in range(50)])
    profile = replace(ascend(), compute_sets=ComputeSets(count=50, names=names))
    hits = Search(profile).hits("LOAD", 10)
    assert len(hits) == 10
    assert [(hit.text, hit.count, hit.named.kind) for hit in hits if hit.named.kind != "compute_set"] == [
        ("load", 2, "slice")
    ]


def test_found_things_come_in_the_order_of_time() -> None:
    found = Search(ascend()).found("o")
    kinds = {entry.kind: entry.indices.tolist() for entry in found}
    assert kinds == {"lane": [0], "slice": [0, 1, 2]}
    assert [entry.indices.tolist() for entry in Search(ascend()).found("m")] == [[3]]


def test_all_that_bear_a_name() -> None:
    search = Search(ascend())
    (hit,) = search.hits("store", 5)
    assert search.named_so(hit).indices.tolist() == [2]


def test_nothing_to_find() -> None:
    assert Search(bare()).hits("a", 5) == []
    assert Search(ascend()).hits("", 5) == []
    assert Search(ascend()).found("") == []


def test_ids_outside_of_the_texts_are_no_names() -> None:
    whole = ascend()
    assert whole.timeline is not None
    slices = replace(whole.timeline.slices, name=np.array([3, -1, 99, 5], np.int32))
    profile = replace(whole, timeline=replace(whole.timeline, slices=slices))
    assert [entry.indices.tolist() for entry in Search(profile).found("load")] == [[0]]
    assert [hit.count for hit in Search(profile).hits("load", 5)] == [1]
