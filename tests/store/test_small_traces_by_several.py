"""Several small traces that processes decode at the same time make the timeline of one reader, even if damaged."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.formats import pool as pool_module
from app.formats.ascend_trace.read import read_ranges
from app.formats.events import Event
from app.formats.json.problems import Problems
from app.formats.pool import ALONE, Pool
from app.profile.issue import Issue
from app.profile.timeline import Timeline
from fakes.pools import PackingPool
from fakes.same import same
from generators import ascend_trace, epoch_trace
from generators.memory_source import MemorySource

TRACES = [
    *(b"".join(ascend_trace.chunks(30, 1, seed)) for seed in range(4)),
    epoch_trace.trace(epoch_trace.steps(12, seed=3), "mixed", 3),
    b"no trace",
]
LONGEST = max(map(len, TRACES))
damage = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 20), st.binary(max_size=3)), max_size=3)


@pytest.fixture(autouse=True)
def worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "WORTH_BYTES", LONGEST + 100)


def read(texts: Sequence[bytes], pool: Pool) -> tuple[Timeline | None, list[str]]:
    issues: list[str] = []

    def sink(event: Event) -> None:
        if isinstance(event, Issue):
            issues.append(f"{event.severity} {event.where} {event.text}")

    problems = Problems(sink, "t")
    ranges = list(pairwise((0, *accumulate(map(len, texts)))))
    timeline = read_ranges(MemorySource(b"".join(texts), "t"), ranges, problems, pool=pool)
    problems.finish()
    return timeline, issues


def check(texts: Sequence[bytes], pool: Pool) -> None:
    (one, issues), (several, others) = read(texts, ALONE), read(texts, pool)
    assert issues == others
    assert same(one, several)


def test_helpers_are_used(tmp_path: Path) -> None:
    pool = PackingPool(tmp_path)
    check(TRACES[:4], pool)
    assert pool.calls == 4


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, len(TRACES) - 1), min_size=3, max_size=6), damage, st.frozensets(st.integers(1, 6)))
def test_damaged(
    tmp_path: Path, numbers: list[int], changes: list[tuple[float, int, bytes]], failing: frozenset[int]
) -> None:
    texts = [TRACES[number] for number in numbers]
    for at, (where, length, new) in enumerate(changes):
        text = texts[at % len(texts)]
        place = int(where * len(text))
        texts[at % len(texts)] = (text[:place] + new + text[place + length :])[: LONGEST + 50]
    check(texts, PackingPool(tmp_path, failing))
