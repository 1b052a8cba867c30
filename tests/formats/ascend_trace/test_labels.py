"""Phases, categories and places of events are the same whether they are looked up together or apart."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats.ascend_trace import labels
from app.formats.ascend_trace.event import COUNTER, Args, Event
from app.formats.ascend_trace.labels import Labels, Metadata, Places
from app.formats.numbering import numbering

NAMES: list[str | float | None] = ["gemm", "copy", "", None, 7.0]
IDS: list[Any] = [None, "", "a", "b", 1, "1", 1.0, 2.5]


def described(seed: int) -> tuple[Any, ...]:
    """What is known of random events, and all places and categories."""
    dice = random.Random(seed)
    numbered, categories, names = Places(6), numbering(list[str]()), numbering(NAMES[:0])
    made = Labels(numbered, categories, names)
    result = []
    for _ in range(30):
        events = [
            Event(
                ph=dice.choice("XXXBEsiCMbn?"),
                cname=dice.choice(["red", None, 7]),
                cat=dice.choice(["k", "", None, 7.0]),
                pid=dice.choice(IDS),
                tid=dice.choice(IDS),
                name=dice.choice(NAMES),
            )
            for _ in range(5)
        ]
        label, place, name = made.of(events)
        on_lanes = made.kind[label] < COUNTER
        columns = made.kind, made.phase, made.category, made.word
        result.append([column[label].tolist() for column in columns] + [place[on_lanes].tolist(), name.tolist()])
    return result, numbered.pairs(), numbered.threads, numbered.overflowed, categories, names


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("new", [0.0, 1.0])
@pytest.mark.parametrize(("together", "remembered"), [(0, 1 << 18), (20, 1 << 18), (0, 3), (1 << 13, 3), (10, 25)])
def test_apart_and_forgotten(
    monkeypatch: pytest.MonkeyPatch, seed: int, together: int, remembered: int, new: float
) -> None:
    with monkeypatch.context() as before:
        before.setattr(labels, "_NEW", 1.0)
        expected = described(seed)
    monkeypatch.setattr(labels, "_NEW", new)
    monkeypatch.setattr(labels, "MOST_TOGETHER", together)
    monkeypatch.setattr(labels, "REMEMBERED", remembered)
    monkeypatch.setattr(labels, "REMEMBERED", remembered)
    assert described(seed) == expected


TEXTS: st.SearchStrategy[Any] = st.sampled_from(["a", "b", "", 1, True, 1.0, None, [], {"x": 1}])
SAID = st.builds(
    Event,
    ph=st.just("M"),
    name=st.sampled_from(
        ["process_name", "thread_name", "process_labels", "process_sort_index", "thread_sort_index", "other", ""]
    ),
    pid=st.sampled_from([1, "1", 2, None]),
    tid=st.sampled_from([1, 2, None]),
    args=st.builds(Args, name=TEXTS, labels=TEXTS, sort_index=st.sampled_from([1, True, "2", -1, None, "x"])),
)


@given(st.lists(SAID, max_size=30), st.booleans())
def test_metadata_together_says_what_it_says_one_by_one(events: list[Event], hashable: bool) -> None:
    """Also where an argument is a list or an object, by which nothing can be looked up."""
    if hashable:
        events = [event for event in events if not isinstance(event.arguments.name, (list, dict))]
        events = [event for event in events if not isinstance(event.arguments.labels, (list, dict))]
    together, apart = Metadata(), Metadata()
    together.add_all(events)
    for event in events:
        apart.add_all([event])
    assert together == apart
