"""Elements that a call takes, calls that use up a feed, and the program flow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.popef.anchors import all_loaded_once, consumed, elements_per_call, input_elements, loaded_once
from app.analysis.popef.flow import MOST_STEPS, flow, users
from app.analysis.tables import by_id
from app.formats import popef as format_
from app.formats.collect import Collector
from app.profile.popef import Model
from app.profile.profile import Profile
from generators import popef, popef_network
from generators.memory_source import MemorySource

LOADED = ((0,), (5,), ())


def opened(*blobs: bytes) -> Profile:
    sink = Collector("popef")
    format_.FORMAT.read([MemorySource(b"".join(blobs), "a.popef")], sink)
    return sink.profiles[0]


def model_of(*blobs: bytes) -> Model:
    found = opened(*blobs).model
    assert found is not None
    return found


def test_the_guides_example() -> None:
    """10 device iterations, 2 replicas, [2, 8, 3, 1] for each of them: 10 * 2 * 8 (2.3.3)."""
    anchor = popef.Anchor("x", shape=(2, 8, 3, 1), per_replica=True)
    model = model_of(popef.metadata(popef.Model(anchors=[anchor], replication=2, iterations=10)))
    found = input_elements(model, 0, accumulation=4)
    assert found is not None
    assert (found.inference, found.training, found.of_model) == (160, 640, 160)
    assert elements_per_call(model).tolist() == [160]


def test_training_multiplies_by_what_is_typed() -> None:
    anchor = popef.Anchor("x", shape=(3, 8, 3, 1), remote=True, repeats=3)
    model = model_of(popef.metadata(popef.Model(anchors=[anchor], replication=4, iterations=2, inference=False)))
    found = input_elements(model, 0, accumulation=16)
    assert found is not None
    assert (found.batch, found.replicas, found.iterations) == (8, 4, 2)
    assert (found.inference, found.training, found.of_model) == (64, 1024, 1024)


@pytest.mark.parametrize(
    ("anchor", "iterations"),
    [
        (popef.Anchor("no dimensions", shape=()), 1),
        (popef.Anchor("not the added ones", shape=(8, 3), per_replica=True), 1),
        (popef.Anchor("only the added one", shape=(2,), per_replica=True), 1),
        (popef.Anchor("negative", shape=(2, -3), per_replica=True), 1),
        (popef.Anchor("iterations not said", shape=(2, 8), per_replica=True), 0),
    ],
)
def test_a_factor_that_is_not_known_gives_no_number(anchor: popef.Anchor, iterations: int) -> None:
    model = model_of(popef.metadata(popef.Model(anchors=[anchor], replication=2, iterations=iterations)))
    found = input_elements(model, 0)
    assert found is not None
    assert found.inference is found.training is found.of_model is None
    assert elements_per_call(model).tolist() == [-1]


def test_outputs_and_what_only_load_uses_have_none() -> None:
    anchors = [
        popef.Anchor("out", popef.OUTPUT),
        popef.Anchor("weights", programs=(0,)),
        popef.Anchor("both", programs=(0, 5)),
        popef.Anchor("programs not said", programs=()),
    ]
    model = model_of(popef.metadata(popef.Model(anchors=anchors, flow=LOADED)))
    assert [input_elements(model, anchor) is None for anchor in range(4)] == [True, True, False, False]
    assert [loaded_once(model, anchor) for anchor in range(4)] == [False, True, False, False]
    table = by_id(opened(popef.metadata(popef.Model(anchors=anchors, flow=LOADED))), "anchors")
    assert table is not None
    column = next(column for column in table.columns if column.key == "elements")
    assert [column.value(row) for row in range(4)] == [None, 2, 2, None]


def test_numbers_beyond_64_bits_are_not_told_as_others() -> None:
    anchor = popef.Anchor("x", shape=(2**62, 1))
    model = model_of(popef.metadata(popef.Model(anchors=[anchor], replication=2**31, iterations=2**31)))
    found = input_elements(model, 0)
    assert found is not None
    assert found.inference == 2**124
    assert elements_per_call(model).tolist() == [-1]


@pytest.mark.parametrize(
    ("shape", "count", "held", "runs", "last"),
    [
        ((8, 3), 6, 48, 3, 16),  # a tensor of the feed is a micro-batch
        ((8, 3), 4, 32, 2, 16),
        ((3,), 33, 33, 3, 1),  # a tensor of the feed is one element
        ((3,), 0, 0, 0, 0),
        ((2, 8, 3), 1, 16, 1, 16),
    ],
)
def test_calls_that_use_up_a_feed(shape: tuple[int, ...], count: int, held: int, runs: int, last: int) -> None:
    anchor = popef.Anchor("x", shape=(2, 8, 3), per_replica=True)
    model = model_of(popef.metadata(popef.Model(anchors=[anchor], replication=2)), popef.feed("x", shape, 3, count))
    found = consumed(model, 0, 0)
    assert found is not None
    assert (found.held, found.taken, found.runs, found.in_last) == (held, 16, runs, last)


@pytest.mark.parametrize("shape", [(7,), (2**62, 4), (0,)])
def test_a_feed_that_does_not_fit_its_anchor_is_not_counted(shape: tuple[int, ...]) -> None:
    blob = popef.feed("x", shape, 3, 1, b"")
    found = consumed(model_of(popef.metadata(popef.Model(anchors=[popef.Anchor("x", shape=(8, 3))])), blob), 0, 0)
    assert found is None or found.held == 0
    wild = popef.Anchor("x", shape=(2**62, 2**62, 2**62))
    assert consumed(model_of(popef.metadata(popef.Model(anchors=[wild])), popef.feed("x", (1,), 3, 1)), 0, 0) is None


def test_the_network_of_the_samples() -> None:
    model = model_of(*popef_network.blobs())
    feed = int(model.tensors.feed.nonzero()[0][0])
    found = consumed(model, feed, 0)
    assert found is not None
    assert (found.held, found.taken, found.runs, found.in_last) == (24, 64, 1, 24)


def test_the_flow_names_programs_and_counts_their_anchors() -> None:
    rows = flow(model_of(*popef.guide_blobs()), 0)
    assert [(row.word, [step.title for step in row.steps]) for row in rows] == [
        ("load", ["0 WeightsFromHost", "1 OptimizerFromHost"]),
        ("main", ["5 Program"]),
        ("save", ["7 WeightsToHost"]),
    ]
    assert [step.anchors for row in rows for step in row.steps] == [1, 0, 2, 1]
    assert users(model_of(*popef.guide_blobs()), 0, 5).tolist() == [0, 2]


def test_a_long_flow_is_cut_and_counted() -> None:
    model = model_of(popef.metadata(popef.Model(flow=((), range(1000), ()))))
    rows = flow(model, 0)
    assert [(len(row.steps), row.left) for row in rows] == [(0, 0), (MOST_STEPS, 1000 - MOST_STEPS), (0, 0)]
    assert rows[1].steps[3].title == "3"


@given(
    st.lists(st.tuples(st.integers(0, 2), st.frozensets(st.integers(0, 4))), max_size=6),
    st.lists(st.tuples(st.frozensets(st.integers(0, 4)), st.frozensets(st.integers(0, 4))), min_size=3, max_size=3),
)
def test_what_is_loaded_once_is_found_for_all_together(
    used: list[tuple[int, frozenset[int]]], flows: list[tuple[frozenset[int], frozenset[int]]]
) -> None:
    blobs = [
        popef.metadata(
            popef.Model(
                anchors=[
                    popef.Anchor(f"a{place}", programs=sorted(own)) for place, (of, own) in enumerate(used) if of == row
                ],
                flow=(sorted(load), sorted(main), ()),
            )
        )
        for row, (load, main) in enumerate(flows)
    ]
    model = model_of(*blobs)
    assert all_loaded_once(model).tolist() == [loaded_once(model, anchor) for anchor in range(len(model.anchors))]
