"""What several ranges of a trace contain, appended in order, is what one reader of the whole trace gathers."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from msgspec import Struct

from app.formats.ascend_trace.columns import Gathered
from app.formats.ascend_trace.event import Event
from app.formats.ascend_trace.gather import Gatherer
from app.formats.ascend_trace.read import timeline_of
from app.formats.json.pieces import Records
from app.formats.json.problems import Problems
from app.formats.source import Source
from app.profile.strings import Strings
from generators import ascend_trace, epoch_trace, torch_trace


def gathered(path: Path, events: list[Any]) -> Gathered:
    """What a reader gathers from ``events``."""
    path.write_bytes(orjson.dumps(events)[1:])
    gatherer = Gatherer()
    problems = Problems(lambda _event: None, path.name)
    with Source(path) as source:
        decoder = gatherer.decoder
        records: Records[Event] = Records(
            source,
            0,
            problems=problems,
            decode=decoder.decode,
            rescue=decoder.rescue,
            plain=decoder.plain,
            piece_bytes=4096,
        )
        for piece in records:
            gatherer.gather(records, piece)
    return gatherer.gathered


def plain(value: Any) -> Any:
    """A section as nested plain values, without its pieces: their borders depend on the ranges."""
    if isinstance(value, Strings):
        return value.tolist()
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.tolist()
    if isinstance(value, Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__ if name != "pieces"}
    return value


def shown(made: Gathered) -> Any:
    return plain(timeline_of(made, 0, Problems(lambda _event: None, "t.json")))


def of_simulator(seed: int) -> list[Any]:
    made: list[Any] = orjson.loads(b"".join(ascend_trace.chunks(600, 1, seed)))["traceEvents"]
    return made


def of_today(seed: int) -> list[Any]:
    made: list[Any] = orjson.loads(epoch_trace.trace(epoch_trace.steps(300, seed=seed), "mixed", seed))["traceEvents"]
    return made


def of_pytorch(seed: int) -> list[Any]:
    made: list[Any] = orjson.loads(torch_trace.text(torch_trace.events(12, seed)))["traceEvents"]
    return made


def grouped(seed: int) -> list[Any]:
    dice = random.Random(seed)
    made = of_simulator(seed)
    for event in made[len(made) // 2 :]:
        if dice.random() < 0.3:
            event["group_id"] = dice.choice(("a", "b", 7))
    return made


def large_times_come_late(seed: int) -> list[Any]:
    late = [{**event, "ts": float(event["ts"]) if "ts" in event else 0} for event in of_today(seed)]
    return [*of_simulator(seed), *late]


@pytest.mark.parametrize("make", [of_simulator, of_today, of_pytorch, grouped, large_times_come_late])
@pytest.mark.parametrize("seed", range(3))
def test_ranges_give_what_the_whole_gives(tmp_path: Path, make: Any, seed: int) -> None:
    events = make(seed)
    dice = random.Random(seed)
    cuts = sorted({0, len(events), *(dice.randrange(len(events)) for _ in range(3))})
    merged = Gathered()
    for number, (begin, end) in enumerate(pairwise(cuts)):
        merged.extend(gathered(tmp_path / f"{number}.json", events[begin:end]))
    whole = gathered(tmp_path / "whole.json", events)
    assert merged.count == whole.count == len(events)
    assert merged.metadata == whole.metadata
    assert merged.ignored == whole.ignored
    assert not merged.places.overflowed
    assert shown(merged) == shown(whole)
