"""Iterations of a loop in sequences of names."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.parts.iterations import iterations, outermost_loop
from app.profile.profile import Origin, Profile
from generators.timelines import timeline


def starts_of(text: str, lengths: list[float] | None = None) -> list[int] | None:
    """Where iterations begin in a sequence of letters, each of length 1."""
    long = np.array(lengths or [1.0] * len(text))
    start = np.concatenate(([0.0], np.cumsum(long)[:-1]))
    loop = outermost_loop(np.array([ord(letter) for letter in text], np.int64), start, start + long)
    return None if loop is None else loop.starts.tolist()


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("abcabcabc", [0, 3, 6]),
        ("xyabcabcabcz", [2, 5, 8]),
        ("aab" * 4, [0, 3, 6, 9]),
        ("w" + "abababu" * 3, [1, 8, 15]),
        ("aaaa", [0, 1, 2, 3]),
        ("abcdefgh", None),
        ("a", None),
        ("", None),
        ("abab" + "qwertzuiopxyvn", None),
    ],
)
def test_the_outermost_loop_with_the_shortest_period(text: str, starts: list[int] | None) -> None:
    assert starts_of(text) == starts


def test_iterations_that_differ_begin_with_the_same_name() -> None:
    assert starts_of("sabsdefsghisjkl") == [0, 3, 7, 11]


def made(names: list[str], length: float = 1.0) -> Profile:
    row = [(place * 2 * length, length, name, "") for place, name in enumerate(names)]
    line = timeline([("p", "t", [row])])
    return Profile(name="made", origin=Origin("ascend-trace", ()), timeline=line)


def test_numbers_in_names_are_ignored_and_shown() -> None:
    own = iterations(made([f"step#{number}" for number in range(5)])).parts
    assert [part.label for part in own] == [f"iteration {n + 1}: step#{n}" for n in range(5)]
    assert [part.amount for part in own] == [2.0, 2.0, 2.0, 2.0, 1.0]
    assert own[1].stretch is not None
    assert (own[1].stretch.start, own[1].stretch.end) == (2.0, 4.0)


def test_few_short_slices_of_one_name_are_no_loop() -> None:
    row = [(place * 10.0, 0.5, "poll", "") for place in range(20)]
    line = timeline([("p", "t", [row])])
    profile = Profile(name="made", origin=Origin("ascend-trace", ()), timeline=line)
    assert not iterations(profile).parts
    assert not iterations(made([chr(97 + n) * (n + 1) for n in range(20)])).parts


def test_repetitions_of_very_different_length_are_no_loop_but_the_first_may_prepare() -> None:
    for lengths, count in (([9.0, 2.0, 2.0, 2.2], 4), ([2.0, 9.0, 0.5], 0), ([1.0, 9.0], 0)):
        starts = np.concatenate(([0.0], np.cumsum(lengths)))
        row = [(start, length, "step", "") for start, length in zip(starts.tolist(), lengths, strict=False)]
        profile = Profile(name="made", origin=Origin("ascend-trace", ()), timeline=timeline([("p", "t", [row])]))
        assert len(iterations(profile).parts) == count, lengths
